//! Times whose text repeats, does not fit, or is not in order.

use super::number;
use crate::judge::{design, fact, fires, mends, silent};

#[test]
fn local_text_of_a_zone_with_summer_time_repeats_an_hour() {
    let local = |zone: &str, steps: &str| {
        design(
            &format!(
                "t = {{ type = \"time\", format = \"yyyyMMddHHmmss\"{zone} }}\nid = {{ type = \"digits\", len = 3 }}"
            ),
            &format!("{{ field = \"id\" }}, {{ field = \"t\"{steps} }}"),
            "",
        )
    };
    let new_york = ", zone = \"America/New_York\"";
    assert_eq!(fact(&fires(&local(new_york, ""), "ENC14"), "zone"), "America/New_York");
    // The source's local times would be read as other instants.
    assert!(fires(&local(new_york, ""), "ENC14").fix.is_none());
    mends(&local(", zone = \"America/New_York\", input = \"epoch-s\"", ""), "ENC14");
    silent(&local("", ""), "ENC14");
    silent(&local(", zone = \"+08:00\"", ""), "ENC14");
    silent(&local(new_york, ", desc = \"long-max\""), "ENC14");
    silent(&local(new_york, " }, { field = \"t\", as = \"be\""), "ENC14");
    // Where the source has local times, the design can't tell them apart.
    for (input, severity) in
        [("", "info"), (", input = \"epoch-s\"", "warning"), (", input = \"iso8601\"", "warning")]
    {
        let zone = format!("{new_york}{input}");
        assert_eq!(fires(&local(&zone, ""), "ENC14").severity.name(), severity, "{input}");
    }
}

#[test]
fn hours_that_a_text_does_not_tell_do_not_repeat() {
    let of = |format: &str, zone: &str, parts: &str| {
        let fields = format!(
            "ts = {{ type = \"time\", format = \"{format}\", zone = \"{zone}\" }}\nday = {{ from = \"left(ts,8)\" }}"
        );
        design(&fields, parts, "")
    };
    fires(&of("yyyyMMddHH", "Europe/Berlin", "{ field = \"ts\" }"), "ENC14");
    silent(&of("yyyyMMdd", "Europe/Berlin", "{ field = \"ts\" }"), "ENC14");
    silent(&of("yyyyMMddHH", "Europe/Berlin", "{ field = \"day\" }"), "ENC14");
    let shanghai = of("yyyyMMddHHmmss", "Asia/Shanghai", "{ field = \"ts\" }");
    silent(&shanghai, "ENC14");
    fires(&shanghai.replace("Shanghai\"", "Shanghai\", min = \"19850101000000\""), "ENC14");
    fires(&shanghai.replace("Shanghai\"", "Shanghai\", max = \"19951231235959\""), "ENC14");
}

#[test]
fn a_step_that_no_time_of_today_fits_is_told() {
    for steps in ["desc = 9999999999", "pad = 5", "as = \"be\", width = 4"] {
        let toml =
            design("ts = { type = \"time\", unit = \"ms\" }", &format!("{{ field = \"ts\", {steps} }}"), "");
        assert_eq!(fires(&toml, "ENC08").severity.name(), "error", "{steps}");
    }
}

#[test]
fn days_written_as_midnights_do_not_repeat() {
    let of = |steps: &str| {
        let fields = "ts = { type = \"time\", format = \"yyyyMMddHHmmss\", zone = \"Europe/Berlin\" }";
        design(fields, &format!("{{ field = \"ts\"{steps} }}"), "")
    };
    silent(&of(", floor = \"1d\""), "ENC14");
    fires(&of(", floor = \"1h\""), "ENC14");
}

#[test]
fn a_time_that_ends_before_today_is_judged_by_its_own_range() {
    let toml = design(
        "ts = { type = \"time\", unit = \"s\", min = -100, max = 900000000 }",
        "{ field = \"ts\", desc = 999999999 }",
        "",
    );
    assert!(fires(&toml, "ENC08").message.starts_with("-1, "));
}

#[test]
fn rows_by_time_want_a_times_bytes_in_order() {
    let of = |rest: &str| number("type = \"time\", unit = \"ms\", min = -1000", ", as = \"be\"", rest);
    for (rest, severity) in [
        ("", "warning"),
        ("[access.one]\nby = [\"other_id\"]", "warning"),
        ("[access.span]\nrange = \"other_id\"", "warning"),
        ("[access.last]\nby = [\"other_id\"]\norder = \"newest\"", "error"),
        ("[access.first]\norder = \"oldest\"\nlimit = 1", "error"),
        ("[access.span]\nrange = \"id\"", "error"),
    ] {
        assert_eq!(fires(&of(rest), "ENC05").severity.name(), severity, "{rest}");
    }
}
