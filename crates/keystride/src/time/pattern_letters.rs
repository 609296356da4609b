//! Compiles the letters of a Java pattern into its pieces.

use std::iter::Peekable;
use std::str::CharIndices;

use super::cursor::OffsetStyle;
use super::piece::Piece;
use super::{Grain, TimeError};

/// Returns the pieces of a pattern, and the finest grain among them.
pub(super) fn compile(pattern: &str) -> Result<(Vec<Piece>, Grain), TimeError> {
    let pieces = read_pieces(pattern)?;
    check_runs(&pieces)?;
    check_day_of_year(&pieces)?;
    check_twice(&pieces)?;
    let resolution = check_holes(&pieces)?;
    Ok((pieces.into_iter().map(|(_, piece)| piece).collect(), resolution))
}

/// Pieces with their places in the pattern.
type Placed = Vec<(usize, Piece)>;

fn read_pieces(pattern: &str) -> Result<Placed, TimeError> {
    let mut pieces = Placed::new();
    let mut chars = pattern.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        match char {
            '\'' => read_quoted(at, &mut chars, &mut pieces)?,
            'a'..='z' | 'A'..='Z' => {
                let mut count = 1;
                while chars.next_if(|(_, next)| *next == char).is_some() {
                    count += 1;
                }
                pieces.push((at, piece_of(char, &pattern[at..at + count], at)?));
            }
            '[' | ']' | '{' | '}' | '#' => return Err(TimeError::Reserved { at, found: char }),
            _ => pieces.push((at, Piece::Literal(char))),
        }
    }
    Ok(pieces)
}

/// Reads the rest of a text in quotes; a doubled quote is one quote, inside and outside of quotes.
fn read_quoted(
    open_at: usize,
    chars: &mut Peekable<CharIndices<'_>>,
    pieces: &mut Placed,
) -> Result<(), TimeError> {
    if chars.next_if(|(_, next)| *next == '\'').is_some() {
        pieces.push((open_at, Piece::Literal('\'')));
        return Ok(());
    }
    while let Some((at, char)) = chars.next() {
        if char == '\'' && chars.next_if(|(_, next)| *next == '\'').is_none() {
            return Ok(());
        }
        pieces.push((at, Piece::Literal(char)));
    }
    Err(TimeError::OpenQuote { at: open_at })
}

fn piece_of(letter: char, run: &str, at: usize) -> Result<Piece, TimeError> {
    let grain = Grain::ALL.into_iter().find(|grain| grain.letters().starts_with(letter));
    match (grain, run) {
        (Some(grain), _) if run == grain.letters() => Ok(Piece::Padded(grain)),
        (_, "yy") => Ok(Piece::YearOfCentury),
        (_, "D") => Ok(Piece::ShortDayOfYear),
        (_, "DDD") => Ok(Piece::PaddedDayOfYear),
        (Some(grain), "M" | "d" | "H" | "m" | "s") => Ok(Piece::Short(grain)),
        (None, "XX") => Ok(Piece::Offset(OffsetStyle::NoColon)),
        (None, "XXX") => Ok(Piece::Offset(OffsetStyle::Colon)),
        _ => Err(TimeError::Letters { at, letters: run.to_owned(), why: why_not(letter) }),
    }
}

fn why_not(letter: char) -> &'static str {
    match letter {
        'y' => "a year has four digits, or two whose century min and max give; write yyyy or yy",
        'Y' => "a week's year is not the calendar's near New Year; write yyyy",
        'u' => "it is the weekday to SimpleDateFormat and the year to DateTimeFormatter; write yyyy",
        'M' | 'L' => "months are numbers here, as their names differ by language; write MM",
        'D' => "a day of the year has three digits, or as many as it needs; write DDD or D",
        'd' => "a day has two digits; write dd",
        'H' => "an hour has two digits; write HH",
        'h' | 'K' | 'k' | 'a' => "hours are 00 to 23 here; write HH",
        'm' => "a minute has two digits; write mm",
        's' => "a second has two digits; write ss",
        'S' => {
            "S is milliseconds to SimpleDateFormat and tenths to DateTimeFormatter; only SSS is the same to both"
        }
        'X' => "X loses the offset's minutes in SimpleDateFormat; write XX for +0800 or XXX for +08:00",
        'Z' | 'z' | 'x' | 'V' | 'O' => "write XX for the offset +0800, or XXX for +08:00",
        _ => "a time is written with yyyy MM dd HH mm ss SSS XX XXX; put other text in single quotes",
    }
}

fn check_runs(pieces: &Placed) -> Result<(), TimeError> {
    for pair in pieces.windows(2) {
        match pair[0] {
            _ if !pair[1].1.is_digits() => {}
            (at, Piece::Short(grain)) => return Err(TimeError::RunsOn { at, grain }),
            (at, Piece::ShortDayOfYear) => return Err(TimeError::DayOfYearRunsOn { at }),
            _ => {}
        }
    }
    Ok(())
}

fn check_day_of_year(pieces: &Placed) -> Result<(), TimeError> {
    let is_beside =
        |piece: Piece| matches!(piece.grain(), Some(Grain::Month | Grain::Day)) && !piece.is_day_of_year();
    let beside = pieces.iter().find(|(_, piece)| is_beside(*piece));
    match beside.filter(|_| pieces.iter().any(|(_, piece)| piece.is_day_of_year())) {
        Some(&(at, _)) => Err(TimeError::DayOfYearBeside { at }),
        None => Ok(()),
    }
}

fn check_twice(pieces: &Placed) -> Result<(), TimeError> {
    let what = |piece: Piece| match piece {
        Piece::Offset(_) => Some("offset".to_owned()),
        _ => piece.grain().map(|grain| grain.to_string()),
    };
    for (index, &(at, piece)) in pieces.iter().enumerate() {
        if let Some(what_here) = what(piece)
            && pieces[..index].iter().any(|(_, before)| what(*before).as_ref() == Some(&what_here))
        {
            return Err(TimeError::Twice { at, what: what_here });
        }
    }
    Ok(())
}

/// Returns the finest grain, if all coarser ones are present.
fn check_holes(pieces: &Placed) -> Result<Grain, TimeError> {
    let has = |grain: Grain| {
        let is_it =
            |piece: Piece| piece.grain() == Some(grain) || (grain == Grain::Month && piece.is_day_of_year());
        pieces.iter().any(|(_, piece)| is_it(*piece))
    };
    let finest = Grain::ALL.into_iter().rfind(|grain| has(*grain)).unwrap_or(Grain::Year);
    match Grain::ALL.into_iter().find(|grain| *grain <= finest && !has(*grain)) {
        Some(grain) => Err(TimeError::Lacks { grain }),
        None => Ok(finest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(pattern: &str) -> String {
        compile(pattern).unwrap_err().to_string()
    }

    #[test]
    fn the_finest_letters_are_the_resolution() {
        for (pattern, resolution) in [
            ("yyyy", Grain::Year),
            ("ddMMyyyy", Grain::Day),
            ("yyDDD", Grain::Day),
            ("yyyyMMddHHmmssSSSXX", Grain::Ms),
        ] {
            assert_eq!(compile(pattern).unwrap().1, resolution);
        }
    }

    #[test]
    fn letters_that_java_reads_in_two_ways_are_refused() {
        for letters in
            ["y", "yyy", "YYYY", "uuuu", "MMM", "hh", "S", "SS", "SSSS", "X", "Z", "DD", "ddd", "q"]
        {
            let refused = compile(&format!("''''{letters}")).unwrap_err();
            assert!(
                matches!(&refused, TimeError::Letters { at: 4, letters: found, .. } if found == letters),
                "{letters}: {refused}"
            );
        }
        assert_eq!(
            refusal("yyyyMMddhh"),
            "at byte 8 of the pattern: \"hh\" can't be used: hours are 00 to 23 here; write HH"
        );
    }

    #[test]
    fn a_text_that_would_name_no_instant_is_refused() {
        assert_eq!(refusal("DDDHH"), "the pattern lacks yyyy, so its text names no instant");
        assert_eq!(refusal("yyDDDmm"), "the pattern lacks HH, so its text names no instant");
        assert_eq!(refusal("HHmmss"), "the pattern lacks yyyy, so its text names no instant");
        assert_eq!(refusal("yyyyMMHH"), "the pattern lacks dd, so its text names no instant");
        assert_eq!(refusal(""), "the pattern lacks yyyy, so its text names no instant");
    }

    #[test]
    fn a_text_that_would_not_read_back_is_refused() {
        let expected = "at byte 4 of the pattern: digits follow a month of one or two digits; write MM";
        assert_eq!(refusal("yyyyMdd"), expected);
        assert_eq!(refusal("yyyyM'1'"), expected);
        assert_eq!(
            refusal("yyyyDHH"),
            "at byte 4 of the pattern: digits follow a day of the year of one to three digits; write DDD"
        );
        let beside = "the day of the year stands without a month and its day; drop one of them";
        assert_eq!(refusal("yyyyMMDDD"), format!("at byte 4 of the pattern: {beside}"));
        assert_eq!(refusal("yyDDDdd"), format!("at byte 5 of the pattern: {beside}"));
        assert_eq!(refusal("yyyyDDD-D"), "at byte 8 of the pattern: the day was there before");
        assert_eq!(refusal("yyyyMMyy"), "at byte 6 of the pattern: the year was there before");
        assert_eq!(refusal("yyyy MM yyyy"), "at byte 8 of the pattern: the year was there before");
        assert_eq!(refusal("yyyyXXXMMXX"), "at byte 9 of the pattern: the offset was there before");
    }

    #[test]
    fn quotes_are_closed_and_java_s_own_signs_are_in_them() {
        assert_eq!(
            refusal("yyyy'T"),
            "at byte 4 of the pattern: this quote is not closed; '' is a quote itself"
        );
        assert_eq!(
            refusal("yyyy[MM]"),
            "at byte 4 of the pattern: '[' stands for itself only in single quotes"
        );
        assert!(compile("yyyy'[#]'").is_ok());
    }

    #[test]
    fn letters_that_are_refused_say_what_to_write() {
        for (letters, advice) in [
            ("y", "write yyyy or yy"),
            ("YYYY", "a week's year"),
            ("uuuu", "weekday to SimpleDateFormat"),
            ("MMM", "write MM"),
            ("LL", "write MM"),
            ("DD", "write DDD or D"),
            ("ddd", "write dd"),
            ("HHH", "write HH"),
            ("kk", "00 to 23 here"),
            ("mmm", "write mm"),
            ("sss", "write ss"),
            ("SS", "only SSS"),
            ("X", "XX for +0800"),
            ("ZZ", "XX for the offset"),
            ("q", "put other text in single quotes"),
        ] {
            let refused = refusal(letters);
            assert!(refused.contains(advice), "{letters}: {refused}");
        }
    }
}
