//! The designs under `examples/`, and the keys of their rows. The keys were computed without this crate, by each
//! recipe's own arithmetic.

mod example;

use example::Example;

#[test]
fn seed_000_partitions_calls_by_number_and_month() {
    let calls = Example::read("seed-000");
    let keys = [
        "1_15483910690_20200406120000",
        "1_15483910690_20200430235959",
        "0_15483910690_20200501000000",
        "0_13800138000_20180101000000",
        "0_13800138000_20180131080000",
        "2_13912345678_20180506070809",
        "2_18600009999_20271231235959",
        "4_19999999999_20200406120001",
    ];
    assert_eq!(calls.keys(), keys);
    assert_eq!(calls.points(), ["0|", "1|", "2|", "3|", "4|"]);
    assert_eq!(calls.regions(), [1, 1, 0, 0, 0, 2, 2, 4]);
    calls.reads_back(&["call1", "calltime"]);
}

#[test]
fn seed_001_cuts_big_endian_numbers_by_hand() {
    let items = Example::read("seed-001");
    let keys = [
        r"\x00\x00\x00\x00",
        r"\x00\x00\x00\x01",
        r"\x00\x00\x00\x09",
        r"\x00\x00\x00\x0A",
        r"\x00\x00\x00\x0F",
        r"\x7F\xFF\xFF\xFF",
        r"\xFF\xFF\xFF\xFF",
    ];
    assert_eq!(items.keys(), keys);
    assert_eq!(items.points(), [r"\x00\x00\x00\x01", r"\x00\x00\x00\x0A", r"\x00\x00\x00\x0F"]);
    assert_eq!(items.regions(), [0, 1, 1, 2, 3, 3, 3]);
    items.reads_back(&["id"]);
}

#[test]
fn seed_002_puts_a_user_s_latest_action_first() {
    let actions = Example::read("seed-002");
    let keys = [
        "352784_9223370636197090350_1197763728256",
        "352784_9223370636197090349_1197763103079",
        "352784_9223370636197090349_1197763103080",
        "352784_9223370450723575807_1197763066034",
        "1_9223370450723575807_1197763399566",
        "10_9223371036854775808_1197763676897",
        "-1_9223372036854775807_1197763701992",
    ];
    assert_eq!(actions.keys(), keys);
    assert_eq!(actions.points(), [""; 0]);
    assert_eq!(actions.selected("user_id = 352784"), [3, 1, 2, 0]);
    let millisecond = "user_id = 352784 and ts between 1400657685458 and 1400657685458";
    assert_eq!(actions.selected(millisecond), [1, 2]);
    actions.reads_back(&["user_id", "ts", "insert_ns"]);
}

#[test]
fn seed_003_reads_a_day_of_the_log_in_one_range_a_bucket() {
    let log = Example::read("seed-003");
    let keys = [
        "01320200405235959138001380000a1b2c3d",
        "01020200406000000138001380005be4",
        "01520200406000000186000099995be4",
        "007202004061200001548391069077aa01",
        "0082020040612000013912345678f00d",
        "0072020040618301519999999999c0ffee",
        "01320200406235959138001380009",
        "0072020040700000013912345678deadbeef",
    ];
    assert_eq!(log.keys(), keys);
    let points: Vec<String> = (1..16).map(|bucket| format!("{bucket:03}")).collect();
    assert_eq!(log.points(), points);
    assert_eq!(log.regions(), [13, 10, 15, 7, 8, 7, 13, 7]);
    let day = "floor(opera_time, 1d) = '2020-04-06'";
    assert_eq!(log.ranges(day), 16);
    assert_eq!(log.selected(day), [3, 5, 4, 1, 6, 2]);
    log.reads_back(&["opera_time", "phone", "rec_id"]);
}

#[test]
fn seed_004a_turns_the_user_round_and_the_time_over() {
    let orders = Example::read("seed-004a");
    let keys = [
        "000831008319223370450723575807",
        "000831008319223370450723575806",
        "000831008319223370450637175807",
        "100831008319223370450723575807",
        "1922337049223370450723575807",
        "0019223370450723575807",
        "1009223370450723575807",
    ];
    assert_eq!(orders.keys(), keys);
    assert_eq!(orders.points(), [""; 0]);
    assert_eq!(orders.selected("user_id = '13800138000'"), [2, 1, 0]);
    orders.reads_back(&["user_id", "ts"]);
}

#[test]
fn seed_004b_takes_its_bucket_from_outside_and_reads_nothing_back() {
    let events = Example::read("seed-004b");
    let keys = [
        "00click202007120",
        "37click202007121",
        "74click202007121",
        "11click20200713101587",
        "48e-9202007122829261253",
        "851202007126160968498",
        "2212202007126160968499",
        "5912202007126160968499",
    ];
    assert_eq!(events.keys_in(|row| row * 37), keys);
    assert_eq!(events.points().len(), 99);
    events.reads_nothing_back();
}

#[test]
fn seed_004b_repaired_gives_a_repeated_record_one_key() {
    let events = Example::read("seed-004b-repaired");
    let keys = [
        "21click!2020071200000000000000000000000",
        "66click!2020071200000000000000000000001",
        "79click!2020071200010000000000000000001",
        "96click!2020071300000000000000000101587",
        "17e-9!2020071200030000000002829261253",
        "571!2020071200120000000006160968498",
        "1712!2020071200120000000006160968499",
        "1712!2020071200120000000006160968499",
    ];
    assert_eq!(events.keys(), keys);
    assert_eq!(events.points().len(), 99);
    assert_eq!(events.selected("event_id = '12' and day = '20200712'"), [6, 7]);
    events.reads_back(&["event_id", "day", "partition", "offset"]);
}
