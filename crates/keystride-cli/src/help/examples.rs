//! The examples at the end of each command's help, in an order in which they can be run: a test of the program does so.

/// The words of a command after `keystride`, and its examples.
pub(super) const EXAMPLES: &[(&str, &[&str])] = &[
    ("demo", &["keystride demo", "keystride demo --backend hbase://localhost:2181/hbase"]),
    (
        "design new",
        &[
            "keystride design new calls.csv -o draft.toml",
            "keystride design new calls.csv --key 'phone, time desc' --buckets 16 -o calls.toml",
            "head -n 1000 calls.csv | keystride design new - --table calls",
        ],
    ),
    ("design lint", &["keystride design lint calls.toml", "keystride design lint calls.toml --fix"]),
    (
        "design show",
        &["keystride design show calls.toml", "keystride design show calls.toml --as hbase-shell"],
    ),
    ("design explain", &["keystride design explain", "keystride design explain SPL05"]),
    ("design schema", &["keystride design schema > design.schema.json"]),
    (
        "key encode",
        &[
            "keystride key encode -d calls.toml phone=13800138000 time=2020-04-06T12:34:56+08:00",
            "keystride key encode -d calls.toml --csv calls.csv > keys.txt",
        ],
    ),
    ("key decode", &["keystride key decode -d calls.toml --escaped \"$(head -n 1 keys.txt)\""]),
    (
        "key locate",
        &[
            "keystride key locate -d calls.toml phone=13800138000 time=2020-04-06T12:34:56+08:00",
            "keystride key locate -d calls.toml 0913800138000",
        ],
    ),
    (
        "splits",
        &[
            "keystride splits -d calls.toml",
            "keystride splits --algo HexStringSplit -n 16",
            "keystride splits --sample keys.txt -n 8",
        ],
    ),
    (
        "table create",
        &[
            "keystride table create -d calls.toml",
            "keystride table create -t plain --family cf,VERSIONS=3 --splits 04,08,12 --dry-run",
        ],
    ),
    (
        "load",
        &[
            "keystride load calls.csv",
            "keystride load -t calls 'calls*.csv' --dry-run",
            "gzip -c calls.csv | gunzip | keystride load -t calls - --load-id again",
        ],
    ),
    ("get", &["keystride get calls phone=13800138000 time=2020-04-06T12:34:56+08:00"]),
    (
        "query",
        &[
            "keystride query calls --where \"phone = '13800138000'\" --newest 20",
            "keystride query calls --where \"time >= '2020-04-06' and seconds > 60\" --format csv > long.csv",
            "keystride query calls --where \"phone like '138%'\" --explain",
        ],
    ),
    ("count", &["keystride count calls", "keystride count calls --where \"seconds > 60\""]),
    ("scan", &["keystride scan calls --limit 5", "keystride scan calls --raw-start 03 --raw-stop 04"]),
    (
        "put",
        &["keystride put calls phone=13800138000 time=2020-04-06T23:59:59+08:00 seconds=5 peer=13900139000"],
    ),
    (
        "delete",
        &[
            "keystride delete calls --where \"phone = '13900139000'\" --explain",
            "keystride delete calls --where \"phone = '13900139000'\" --yes",
        ],
    ),
    (
        "extract",
        &[
            "keystride extract calls --to day --day 2020-04-06",
            "keystride extract calls --to days --partition-by day",
        ],
    ),
    ("stats", &["keystride stats calls", "keystride stats calls --by bucket --format json"]),
    ("table list", &["keystride table list"]),
    ("table describe", &["keystride table describe calls"]),
    ("table regions", &["keystride table regions calls --sort writes"]),
    ("table splits", &["keystride table splits calls > points.txt"]),
    ("table split", &["keystride table split calls 0313800138000"]),
    ("table compact", &["keystride table compact calls"]),
    ("table check", &["keystride table check calls -d calls.toml"]),
    ("table alter", &["keystride table alter -t calls -d calls.toml"]),
    ("table adopt", &["keystride table adopt -t calls -d calls.toml --dry-run"]),
    ("table truncate", &["keystride table truncate calls --preserve --yes"]),
    ("table drop", &["keystride table drop calls --yes"]),
    ("store repair", &["keystride store repair --backend embedded:./keystride-data"]),
    (
        "ctx add",
        &[
            "keystride ctx add lab --backend embedded:./lab-data",
            "keystride ctx add production --hbase zk1,zk2,zk3:2181/hbase",
        ],
    ),
    ("ctx use", &["keystride ctx use lab"]),
    ("ctx list", &["keystride ctx list"]),
    ("ctx show", &["keystride ctx show"]),
    ("ctx remove", &["keystride ctx remove production"]),
    ("completions", &["keystride completions bash > keystride.bash"]),
    ("man", &["keystride man pages"]),
    ("version", &["keystride version"]),
];
