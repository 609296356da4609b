//! Parses predicates: `carrier = 'UA' and time >= '2013-03-08' and not flight in (1, 2)`.

use super::error::{PredicateError, PredicateFault};
use super::like;
use super::literal::read_literal;
use super::predicate::{Comparison, Predicate};
use super::set::Literal;
use super::token::{Token, TokenKind, tokens};
use crate::design::{Design, Expr, FieldKind, derived_kind};

impl Predicate {
    /// Parses a predicate on the fields of `design`.
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
        Ok(if list.len() == 1 { list.remove(0) } else { Predicate::And(list) })
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
            self.check_order(&expr, op)?;
            return Ok(Predicate::Compare { literal: self.literal(&expr)?, expr, op });
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
        let mut literals = vec![self.literal(&expr)?];
        while self.take_symbol(",") {
            literals.push(self.literal(&expr)?);
        }
        self.expect_symbol(")", "a comma or a closing parenthesis")?;
        Ok(Predicate::In { expr, literals: literals.into_iter().collect() })
    }

    fn between(&mut self, expr: &Expr) -> Result<Predicate, PredicateError> {
        self.check_order(expr, Comparison::LessOrEqual)?;
        let low = self.literal(expr)?;
        self.expect_word("and", "and, between the two bounds")?;
        let high = self.literal(expr)?;
        let compare = |op, literal| Predicate::Compare { expr: expr.clone(), op, literal };
        let low = compare(Comparison::GreaterOrEqual, low);
        Ok(Predicate::And(vec![low, compare(Comparison::LessOrEqual, high)]))
    }

    fn like(&mut self, expr: Expr) -> Result<Predicate, PredicateError> {
        let kind = derived_kind(&expr, &self.design.fields);
        if !matches!(kind, FieldKind::String(_) | FieldKind::Digits { .. }) {
            return Err(self.unfit(&expr, &kind, "like, which takes the beginning of a text"));
        }
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
        let TokenKind::Word(name) = &self.tokens[self.next].kind else {
            return Err(self.unexpected("a field"));
        };
        self.next += 1;
        let mut text = name.clone();
        if self.take_symbol("(") {
            text.push('(');
            while !self.take_symbol(")") {
                match &self.tokens[self.next].kind {
                    TokenKind::Word(word) | TokenKind::Number(word) => text.push_str(word),
                    TokenKind::Symbol(",") => text.push(','),
                    _ => return Err(self.unexpected("a field, a count or a closing parenthesis")),
                }
                self.next += 1;
            }
            text.push(')');
        }
        Expr::parse(&text, &self.design.fields).map_err(|problem| PredicateError {
            at: self.tokens[at].at,
            fault: PredicateFault::Operand(Box::new(problem)),
        })
    }

    fn literal(&mut self, expr: &Expr) -> Result<Literal, PredicateError> {
        let token = &self.tokens[self.next];
        let literal = match &token.kind {
            TokenKind::Text(_) | TokenKind::Number(_) | TokenKind::Word(_) => {
                read_literal(&token.kind, expr, self.design).map_err(|fault| self.fault(fault))?
            }
            _ => return Err(self.unexpected("a value")),
        };
        self.next += 1;
        Ok(literal)
    }

    /// Values of every type can be ordered, except true and false, which can only be equal.
    fn check_order(&self, expr: &Expr, op: Comparison) -> Result<(), PredicateError> {
        let kind = derived_kind(expr, &self.design.fields);
        let equality = matches!(op, Comparison::Equal | Comparison::NotEqual);
        if equality || kind != FieldKind::Bool {
            return Ok(());
        }
        Err(self.unfit(expr, &kind, "an order; compare it with = or !="))
    }

    fn unfit(&self, expr: &Expr, kind: &FieldKind, what: &'static str) -> PredicateError {
        let field = self.design.fields[expr.field].name.clone();
        self.fault(PredicateFault::Unfit { field, kind: kind.name(), what })
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
            TokenKind::Symbol(symbol) => format!("\"{symbol}\""),
            TokenKind::End => "the end".to_owned(),
        };
        self.fault(PredicateFault::Unexpected { expected, found })
    }

    fn fault(&self, fault: PredicateFault) -> PredicateError {
        PredicateError { at: self.tokens[self.next].at, fault }
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
