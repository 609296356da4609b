//! Parses predicates: `carrier = 'UA' and time >= '2013-03-08' and not flight in (1, 2)`.

use super::checked::{check_order, check_text, read_operand};
use super::error::{PredicateError, PredicateFault};
use super::like;
use super::literal::{Compared, check_equal, read_compared};
use super::predicate::{Comparison, Predicate};
use super::set::Literal;
use super::token::{Token, TokenKind, tokens};
use crate::design::{Design, Expr};

impl Predicate {
    /// Parses a predicate on the fields of `design`. Texts stand in single quotes; names may stand in double quotes, and
    /// must if they are words of the language.
    ///
    /// ```
    /// # use keystride::{Design, plan::Predicate};
    /// # let design = Design::from_toml("format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n[key]\nparts = [{ field = \"id\" }]")?;
    /// assert!(Predicate::parse("id between 1 and 5 or id = 9", &design).is_ok());
    /// assert_eq!(Predicate::parse("id = ", &design).unwrap_err().at, 5);
    /// # Ok::<(), keystride::design::DesignError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PredicateError`] with the place of the text that can't be read.
    pub fn parse(text: &str, design: &Design) -> Result<Self, PredicateError> {
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens: &tokens, next: 0, design, depth: 0 };
        let predicate = parser.any_of()?;
        parser.expect_end()?;
        Ok(predicate)
    }
}

/// The nesting limit, as deeper nesting could exhaust the stack.
const MOST_DEPTH: usize = 100;

struct Parser<'a> {
    tokens: &'a [Token],
    next: usize,
    design: &'a Design,
    depth: usize,
}

impl Parser<'_> {
    fn any_of(&mut self) -> Result<Predicate, PredicateError> {
        let mut list = vec![self.all_of()?];
        while self.take_word("or") {
            list.push(self.all_of()?);
        }
        Ok(Predicate::any(list))
    }

    fn all_of(&mut self) -> Result<Predicate, PredicateError> {
        let mut list = vec![self.negation()?];
        while self.take_word("and") {
            list.push(self.negation()?);
        }
        Ok(Predicate::all(list))
    }

    fn negation(&mut self) -> Result<Predicate, PredicateError> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(self.fault(PredicateFault::TooDeep));
        }
        let predicate = if !self.is_at_field_not() && self.take_word("not") {
            self.negation().map(|inner| Predicate::Not(Box::new(inner)))
        } else if self.take_symbol("(") {
            let inner = self.any_of()?;
            self.expect_symbol(")", "a closing parenthesis")?;
            Ok(inner)
        } else {
            self.atom()
        };
        self.depth -= 1;
        predicate
    }

    /// Whether what follows is a field that is named `not`, which its operator tells from a negation.
    fn is_at_field_not(&self) -> bool {
        let [TokenKind::Word(word), next] = [0, 1].map(|ahead| self.kind(ahead)) else { return false };
        let is_operator = match next {
            TokenKind::Symbol(symbol) => !matches!(*symbol, "(" | ")" | ","),
            TokenKind::Word(word) => {
                ["is", "in", "between", "like"].iter().any(|known| word.eq_ignore_ascii_case(known))
            }
            _ => false,
        };
        is_operator && word == "not" && self.design.field_index(word).is_some()
    }

    /// Returns the kind of a token that lies ahead.
    fn kind(&self, ahead: usize) -> &TokenKind {
        self.tokens.get(self.next + ahead).map_or(&TokenKind::End, |token| &token.kind)
    }

    fn atom(&mut self) -> Result<Predicate, PredicateError> {
        let expr = self.operand()?;
        if let Some(op) = self.comparison() {
            check_order(&expr, op, self.design).map_err(|fault| self.fault(fault))?;
            let compared = self.compared(&expr, op)?;
            return Ok(compare(&expr, op, compared));
        }
        if self.take_word("is") {
            let negated = self.take_word("not");
            self.expect_word("null", "null")?;
            return Ok(negate(Predicate::IsNull(expr), negated));
        }
        let negated = self.take_word("not");
        let predicate = if self.take_word("in") {
            self.list(expr)
        } else if self.take_word("between") {
            self.between(&expr)
        } else if self.take_word("like") {
            self.like(expr)
        } else {
            Err(self.unexpected("=, !=, <, <=, >, >=, between, in, like or is"))
        };
        Ok(negate(predicate?, negated))
    }

    fn list(&mut self, expr: Expr) -> Result<Predicate, PredicateError> {
        self.expect_symbol("(", "a list in parentheses")?;
        let (mut literals, mut skipped) = (Vec::new(), None);
        loop {
            match self.compared(&expr, Comparison::Equal)? {
                Compared::Value(literal) => literals.push(literal),
                // Nothing is equal to it.
                Compared::Skipped(at) => skipped = Some(at),
            }
            if !self.take_symbol(",") {
                break;
            }
        }
        self.expect_symbol(")", "a comma or a closing parenthesis")?;
        match skipped {
            Some(at) if literals.is_empty() => Ok(compare_skipped(&expr, Comparison::Equal, at)),
            _ => Ok(Predicate::In { expr, literals: literals.into_iter().collect() }),
        }
    }

    fn between(&mut self, expr: &Expr) -> Result<Predicate, PredicateError> {
        check_order(expr, Comparison::LessOrEqual, self.design).map_err(|fault| self.fault(fault))?;
        let low = self.compared(expr, Comparison::GreaterOrEqual)?;
        self.expect_word("and", "and, between the two bounds")?;
        let high = self.compared(expr, Comparison::LessOrEqual)?;
        let low = compare(expr, Comparison::GreaterOrEqual, low);
        Ok(Predicate::And(vec![low, compare(expr, Comparison::LessOrEqual, high)]))
    }

    fn like(&mut self, expr: Expr) -> Result<Predicate, PredicateError> {
        check_text(&expr, self.design).map_err(|fault| self.fault(fault))?;
        let at = self.next;
        let TokenKind::Text(pattern) = &self.tokens[self.next].kind else {
            return Err(self.unexpected("a text such as '138%'"));
        };
        self.next += 1;
        match like::prefix_of(pattern) {
            Some(prefix) => Ok(Predicate::Prefix { expr, prefix: prefix.into_bytes() }),
            None => Err(PredicateError { at: self.tokens[at].at, fault: PredicateFault::NotAPrefix }),
        }
    }

    /// Reads a field, or a function of one as in the design file.
    fn operand(&mut self) -> Result<Expr, PredicateError> {
        let at = self.next;
        let (TokenKind::Word(name) | TokenKind::Name(name)) = &self.tokens[self.next].kind else {
            return Err(self.unexpected("a field"));
        };
        self.next += 1;
        let mut text = name.clone();
        if self.take_symbol("(") {
            text.push('(');
            while !self.take_symbol(")") {
                match &self.tokens[self.next].kind {
                    TokenKind::Word(word) | TokenKind::Name(word) | TokenKind::Number(word) => {
                        text.push_str(word);
                    }
                    TokenKind::Symbol(",") => text.push(','),
                    _ => return Err(self.unexpected("a field, a count or a closing parenthesis")),
                }
                self.next += 1;
            }
            text.push(')');
        }
        read_operand(&text, self.design).map_err(|fault| PredicateError { at: self.tokens[at].at, fault })
    }

    /// Reads what `expr` is compared with.
    fn compared(&mut self, expr: &Expr, op: Comparison) -> Result<Compared, PredicateError> {
        let token = &self.tokens[self.next];
        let compared = match &token.kind {
            TokenKind::Text(_) | TokenKind::Number(_) | TokenKind::Word(_) => {
                read_compared(&token.kind, expr, self.design).map_err(|fault| self.fault(fault))?
            }
            TokenKind::Name(_) => return Err(self.fault(PredicateFault::DoubleQuote)),
            _ => return Err(self.unexpected("a value")),
        };
        if let (true, Compared::Value(literal)) = (op.is_equality(), &compared) {
            check_equal(literal, expr, self.design).map_err(|fault| self.fault(fault))?;
        }
        self.next += 1;
        Ok(compared)
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let TokenKind::Symbol(symbol) = self.tokens[self.next].kind else { return None };
        let op = match symbol {
            "=" => Comparison::Equal,
            "!=" => Comparison::NotEqual,
            "<" => Comparison::Less,
            "<=" => Comparison::LessOrEqual,
            ">" => Comparison::Greater,
            ">=" => Comparison::GreaterOrEqual,
            _ => return None,
        };
        self.next += 1;
        Some(op)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(&self.tokens[self.next].kind, TokenKind::Word(found) if found.eq_ignore_ascii_case(word));
        self.next += usize::from(found);
        found
    }

    fn take_symbol(&mut self, symbol: &str) -> bool {
        let found = matches!(&self.tokens[self.next].kind, TokenKind::Symbol(found) if *found == symbol);
        self.next += usize::from(found);
        found
    }

    fn expect_word(&mut self, word: &str, expected: &'static str) -> Result<(), PredicateError> {
        if self.take_word(word) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn expect_symbol(&mut self, symbol: &str, expected: &'static str) -> Result<(), PredicateError> {
        if self.take_symbol(symbol) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn expect_end(&self) -> Result<(), PredicateError> {
        match self.tokens[self.next].kind {
            TokenKind::End => Ok(()),
            _ => Err(self.unexpected("and, or, or the end")),
        }
    }

    fn unexpected(&self, expected: &'static str) -> PredicateError {
        let found = match &self.tokens[self.next].kind {
            TokenKind::Word(word) | TokenKind::Number(word) => format!("\"{word}\""),
            TokenKind::Text(text) => format!("'{text}'"),
            TokenKind::Name(name) => format!("\"{name}\""),
            TokenKind::Symbol(symbol) => format!("\"{symbol}\""),
            TokenKind::End => "the end".to_owned(),
        };
        self.fault(PredicateFault::Unexpected { expected, found })
    }

    fn fault(&self, fault: PredicateFault) -> PredicateError {
        PredicateError { at: self.tokens[self.next].at, fault }
    }
}

fn compare(expr: &Expr, op: Comparison, compared: Compared) -> Predicate {
    match compared {
        Compared::Value(literal) => Predicate::Compare { expr: expr.clone(), op, literal },
        Compared::Skipped(at) => compare_skipped(expr, op, at),
    }
}

/// Compares with a time that clocks skipped: the values before it are those before `at`, those after it begin there, and
/// none is equal to it.
fn compare_skipped(expr: &Expr, op: Comparison, at: i128) -> Predicate {
    let bound = |op| Predicate::Compare { expr: expr.clone(), op, literal: Literal::Int(at) };
    let nothing = || Predicate::And(vec![bound(Comparison::GreaterOrEqual), bound(Comparison::Less)]);
    match op {
        Comparison::Less | Comparison::LessOrEqual => bound(Comparison::Less),
        Comparison::Greater | Comparison::GreaterOrEqual => bound(Comparison::GreaterOrEqual),
        Comparison::Equal => nothing(),
        Comparison::NotEqual => negate(nothing(), true),
    }
}

fn negate(predicate: Predicate, negated: bool) -> Predicate {
    if negated { Predicate::Not(Box::new(predicate)) } else { predicate }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_expression_may_be_equal_to_is_one_list() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                    id = { type = \"int\" }\nname = { type = \"string\" }\n[key]\nparts = [{ field = \"id\" }]";
        let design = Design::from_toml(toml).unwrap();
        for (written, read) in [
            ("id in (7, 3, 7)", "id in (3, 7)"),
            ("id = 7 or id > 9 or id in (3, 4) or id = 7", "id in (3, 4, 7) or id > 9"),
            ("name = 'b' or id = 1 or name = 'a'", "name in ('a', 'b') or id = 1"),
            ("left(name,1) = 'b' or name = 'b'", "left(name,1) = 'b' or name = 'b'"),
            ("id != 1 or id != 2", "id != 1 or id != 2"),
            ("id != 7 and id > 0 and not id in (3, 4) and not id = 7", "not id in (3, 4, 7) and id > 0"),
            ("not (id != 1 and id != 2)", "not not id in (1, 2)"),
            ("id = 1 and id = 2 or id = 3", "id = 1 and id = 2 or id = 3"),
        ] {
            let predicate = Predicate::parse(written, &design).unwrap();
            assert_eq!(predicate.to_text(&design), read);
        }
    }

    fn parse(text: &str) -> Result<Predicate, PredicateFault> {
        let design = Design::from_toml(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
             id = { type = \"int\" }\nnot = { type = \"int\" }\nok = { type = \"bool\" }\n[key]\nparts = [{ field = \"id\" }]",
        );
        Predicate::parse(text, &design.unwrap()).map_err(|error| error.fault)
    }

    #[test]
    fn a_field_named_not_is_told_from_a_negation() {
        for (text, same) in [
            ("not = 1", "(not = 1)"),
            ("not not = 1", "not (not = 1)"),
            ("id = 1 and not in (1, 2)", "(id = 1) and (not in (1, 2))"),
            ("not is null or not between 1 and 2", "(not is null) or (not between 1 and 2)"),
            ("not not in (1)", "not (not in (1))"),
        ] {
            assert!(parse(text).is_ok(), "{text}");
            assert_eq!(parse(text), parse(same), "{text}");
        }
        let negation = |text: &str| Ok(Predicate::Not(Box::new(parse(text).unwrap())));
        assert_eq!(parse("not id = 1"), negation("id = 1"));
        assert_eq!(parse("not (id = 1)"), negation("id = 1"));
        assert_eq!(parse("not not id = 1"), Ok(Predicate::Not(Box::new(parse("not id = 1").unwrap()))));
    }

    #[test]
    fn what_clocks_skipped_is_equal_to_nothing_and_lies_between_its_neighbours() {
        for (zone, format, skipped, after) in [
            ("Pacific/Apia", "yyyyMMdd", "20111230", "20111231"),
            ("Pacific/Kwajalein", "yyyyMMdd", "19930821", "19930822"),
            ("Asia/Manila", "yyyyMMdd", "18441231", "18450101"),
            ("America/New_York", "yyyyMMddHH", "2013031002", "2013031003"),
            ("America/New_York", "yyyyMMddHHmm", "201303100230", "201303100300"),
        ] {
            let design = Design::from_toml(&format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                 t = {{ type = \"time\", format = \"{format}\", zone = \"{zone}\" }}\n[key]\nparts = [{{ field = \"t\" }}]"
            ));
            let design = design.unwrap();
            let read = |text: &str| Predicate::parse(text, &design).unwrap().to_text(&design);
            let nothing = format!("t >= '{after}' and t < '{after}'");
            assert_eq!(read(&format!("t = '{skipped}'")), nothing, "{zone}");
            assert_eq!(read(&format!("t != '{skipped}'")), format!("not ({nothing})"));
            assert_eq!(read(&format!("t in ('{skipped}')")), nothing);
            assert_eq!(read(&format!("t in ('{skipped}', '{after}')")), format!("t in ('{after}')"));
            for op in ["<", "<="] {
                assert_eq!(read(&format!("t {op} '{skipped}'")), format!("t < '{after}'"));
            }
            for op in [">", ">="] {
                assert_eq!(read(&format!("t {op} '{skipped}'")), format!("t >= '{after}'"));
            }
            assert_eq!(read(&format!("t between '{skipped}' and '{skipped}'")), nothing);
            assert!(Predicate::parse(&format!("t = '{skipped}x'"), &design).is_err());
        }
    }

    #[test]
    fn a_text_of_another_length_is_no_value_but_may_be_a_bound() {
        let design = Design::from_toml(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\ncall1 = { type = \"digits\", len = 11 }\n\
             name = { type = \"string\", max_len = 3 }\nhead = { from = \"left(call1,4)\" }\n[key]\nparts = [{ field = \"call1\" }]",
        );
        let design = design.unwrap();
        for text in [
            "call1 = 123",
            "call1 != '123'",
            "call1 in ('13800138000', '1')",
            "not call1 = 123456789012",
            "left(call1,4) = '138'",
            "head = '13800'",
            "right(call1,2) = 'abc'",
        ] {
            let error = Predicate::parse(text, &design).unwrap_err().fault;
            assert!(matches!(error, PredicateFault::Length { .. }), "{text}: {error}");
        }
        assert_eq!(
            Predicate::parse("call1 = 123", &design).unwrap_err().to_string(),
            "call1 always has 11 digits, and '123' has 3: compare its beginning, as in call1 like '123%', or a \
             range, as in call1 >= '123'"
        );
        let error = Predicate::parse("call1 = '1380013800x'", &design).unwrap_err().to_string();
        assert!(error.ends_with("is not ASCII digits alone"), "{error}");
        for text in [
            "call1 > 123",
            "call1 between '138' and '1390'",
            "call1 like '138%'",
            "name = 'abcd'",
            "left(name,2) = 'abc'",
        ] {
            assert!(Predicate::parse(text, &design).is_ok(), "{text}");
        }
    }

    #[test]
    fn depth_is_of_what_is_inside_and_not_of_what_stands_beside() {
        let nested = |depth: usize| format!("{}id = 1{}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(parse(&nested(99)), parse("id = 1"));
        assert_eq!(parse(&nested(100)), Err(PredicateFault::TooDeep));
        assert!(parse(&vec!["(id = 1)"; 200].join(" or ")).is_ok());
    }

    #[test]
    fn what_goes_on_after_a_predicate_and_what_has_no_order_are_refused() {
        assert!(matches!(parse("id = 1 id"), Err(PredicateFault::Unexpected { .. })));
        assert!(matches!(parse("id = 1)"), Err(PredicateFault::Unexpected { .. })));
        assert!(matches!(parse("ok < true"), Err(PredicateFault::Unfit { .. })));
        assert!(matches!(parse("ok between false and true"), Err(PredicateFault::Unfit { .. })));
    }
}
