//! Keys a second: the design-driven encoder beside hand-written Rust of the same keys, a plain copy of the bytes, and the
//! recipes in Java (`bench/java/Keys.java`, the median of five starts, when a JDK is there), on the same rows in one run.
//! Every side prints a digest of all its keys; sides whose digests differ fail.
//!
//! Every side starts from typed values, texts as texts and numbers as numbers, and goes through the same 64 rows;
//! reading a source's text is no part of any of them. The encoder takes a [`Row`], whose slots it checks for type and
//! absence, and appends to a buffer that it has emptied, as the hand-written key does; the hand-written key takes strings
//! and numbers from arrays, and checks nothing. Keys whose bucket is an MD5 are also encoded sixteen at a time. Java's
//! seeds make a new array for each key, as they do where they come from; its tuned key is written into one buffer.
//!
//! `cargo test`, and `KEYSTRIDE_BENCH=tiny`, run every path once and compare the keys: the figures then mean nothing.

#![expect(clippy::print_stdout, reason = "a benchmark prints its ratios")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;

use keystride::{Design, KeyCodec, Row, Value};

const ROWS: usize = 65_536;

/// Number of rows that are timed.
const NEXT_ROWS: usize = 64;

struct Rows {
    phones: Vec<String>,
    times: Vec<String>,
    ids: Vec<String>,
    users: Vec<i128>,
    millis: Vec<i128>,
    nanos: Vec<i128>,
}

fn main() {
    let rows = rows();
    let java = java();
    println!("ns of CPU a key; ratios are theirs ÷ ours\n");
    println!("shape         encoder  by hand  copy  encoder÷hand  seed Java÷encoder  tuned Java÷encoder");
    for shape in
        [Shape::A, Shape::B, Shape::C, Shape::D, Shape::E].into_iter().filter(|shape| is_asked_for(*shape))
    {
        report(shape, &rows, &java);
    }
}

/// Letters after `--` name the shapes to measure; without any, all are.
fn is_asked_for(shape: Shape) -> bool {
    let mut letters = std::env::args().skip(1).filter(|word| word.len() == 1).peekable();
    letters.peek().is_none() || letters.any(|letter| letter == format!("{shape:?}"))
}

#[derive(Debug, Clone, Copy)]
enum Shape {
    /// First digit of MD5, time, phone, id.
    A,
    /// Java hash of phone and month, phone, time.
    B,
    /// User, reversed time, insert time.
    C,
    /// Reversed user, reversed time.
    D,
    /// Two-digit salt, event, day, offset.
    E,
}

fn report(shape: Shape, rows: &Rows, java: &JavaRuns) {
    let codec = KeyCodec::new(Design::from_toml(shape.design()).expect("the bench's designs are designs"));
    let values = shape.values(&codec, rows);
    let mut encoder = codec.encoder();
    let mut key = buffer();
    let mut digest = Crc::default();
    let mut encode = |index: usize, key: &mut Vec<u8>| {
        key.clear();
        if shape.is_supplied() {
            encoder.supply(index as u64 % 100);
        }
        encoder.encode(&values[index], key).expect("the bench's rows have keys");
    };
    for index in 0..ROWS {
        encode(index, &mut key);
        digest.add(&key);
    }
    let mut hand_digest = Crc::default();
    let mut buffer = buffer();
    for index in 0..ROWS {
        shape.by_hand(rows, index, &mut buffer);
        hand_digest.add(&buffer);
    }
    assert_eq!(digest.hex(), hand_digest.hex(), "{shape:?}: encoder and hand-written keys differ");
    let Pair { ours, hand, ratio } =
        pair(|index| encode(index, &mut key), |index| shape.by_hand(rows, index, &mut buffer));
    let sample = buffer.clone();
    let copy = time(|_| {
        buffer.clear();
        buffer.extend_from_slice(black_box(&sample));
    });
    let against = |ours: f64, name: &str| match java.get(&format!("{shape:?} {name}")) {
        Some(runs) => {
            let is_same = runs.iter().all(|(_, their_digest)| *their_digest == digest.hex());
            assert!(is_same, "{shape:?}: our keys and Java's differ");
            format!("{:.1}", runs[runs.len() / 2].0 / ours)
        }
        None => "not run".to_owned(),
    };
    let line = |how: &str, ours: f64, ratio: f64| {
        println!(
            "{how:<12}  {ours:7.1}  {hand:7.1}  {copy:4.1}  {ratio:12.2}  {:>17}  {:>18}",
            against(ours, "seed"),
            against(ours, "tuned")
        );
    };
    line(&format!("{shape:?}"), ours, ratio);
}

impl Shape {
    /// Whether its buckets are of a number that the caller gives.
    fn is_supplied(self) -> bool {
        matches!(self, Self::E)
    }

    fn design(self) -> &'static str {
        match self {
            Self::A => concat!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n",
                "time = { type = \"digits\", len = 14 }\nphone = { type = \"digits\", len = 11 }\nid = { type = \"string\" }\n",
                "[key]\nparts = [ { bucket = 16, hash = \"md5-hex1\", of = [\"rest\"], width = 3 }, { field = \"time\" }, ",
                "{ field = \"phone\" }, { field = \"id\" } ]\n"
            ),
            Self::B => concat!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n",
                "time = { type = \"digits\", len = 14 }\nphone = { type = \"digits\", len = 11 }\n",
                "[key]\nparts = [ { bucket = 6, hash = \"java-xor\", of = [\"right(phone,4)\", \"left(time,6)\"], width = 1 }, ",
                "{ text = \"_\" }, { field = \"phone\" }, { text = \"_\" }, { field = \"time\" } ]\n"
            ),
            Self::C => concat!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n",
                "user = { type = \"int\" }\nts = { type = \"time\", unit = \"ms\" }\nns = { type = \"int\" }\n",
                "[key]\nparts = [ { field = \"user\" }, { text = \"_\" }, { field = \"ts\", desc = \"long-max\" }, { text = \"_\" }, { field = \"ns\" } ]\n"
            ),
            Self::D => concat!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n",
                "user = { type = \"int\" }\nts = { type = \"time\", unit = \"ms\" }\n",
                "[key]\nparts = [ { field = \"user\", reverse = true }, { field = \"ts\", desc = \"long-max\" } ]\n"
            ),
            Self::E => concat!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n",
                "user = { type = \"int\" }\nday = { type = \"digits\", len = 8 }\nns = { type = \"int\" }\n",
                "[key]\nparts = [ { bucket = 100, hash = \"random\", width = 2 }, { field = \"user\" }, { field = \"day\" }, { field = \"ns\" } ]\n"
            ),
        }
    }

    fn values(self, codec: &KeyCodec, rows: &Rows) -> Vec<Row> {
        let fields = codec.design().fields().len();
        let row = |index: usize| {
            let mut row = Row::new(fields);
            let values: [Value<'_>; 3] = match self {
                Self::A => [text(&rows.times[index]), text(&rows.phones[index]), text(&rows.ids[index])],
                Self::B => [text(&rows.times[index]), text(&rows.phones[index]), Value::Int(0)],
                Self::C | Self::D => [
                    Value::Int(rows.users[index]),
                    Value::Int(rows.millis[index]),
                    Value::Int(rows.nanos[index]),
                ],
                Self::E => [
                    Value::Int(rows.users[index]),
                    text(&rows.times[index][..8]),
                    Value::Int(rows.nanos[index]),
                ],
            };
            for (field, value) in values.into_iter().take(fields).enumerate() {
                row.set(field, value);
            }
            row
        };
        (0..ROWS).map(row).collect()
    }

    /// The same key, written as one would for this key alone.
    fn by_hand(self, rows: &Rows, index: usize, out: &mut Vec<u8>) {
        out.clear();
        let number = |out: &mut Vec<u8>, value: i128| keystride::key::decimal::encode(out, value);
        match self {
            Self::A => {
                out.extend_from_slice(b"000");
                out.extend_from_slice(rows.times[index].as_bytes());
                out.extend_from_slice(rows.phones[index].as_bytes());
                out.extend_from_slice(rows.ids[index].as_bytes());
                let bucket = keystride::hash::md5(&out[3..])[0] >> 4;
                out[1] = b'0' + bucket / 10;
                out[2] = b'0' + bucket % 10;
            }
            Self::B => {
                let (phone, time) = (rows.phones[index].as_bytes(), rows.times[index].as_bytes());
                let hash = java_hash(&phone[7..]) ^ java_hash(&time[..6]);
                out.push(b'0' + u8::try_from(hash.wrapping_abs() % 6).unwrap_or_default());
                out.push(b'_');
                out.extend_from_slice(phone);
                out.push(b'_');
                out.extend_from_slice(time);
            }
            Self::C => {
                number(out, rows.users[index]);
                out.push(b'_');
                number(out, i128::from(i64::MAX) - rows.millis[index]);
                out.push(b'_');
                number(out, rows.nanos[index]);
            }
            Self::D => {
                number(out, rows.users[index]);
                out.reverse();
                number(out, i128::from(i64::MAX) - rows.millis[index]);
            }
            Self::E => {
                let salt = u8::try_from(index % 100).unwrap_or_default();
                out.extend_from_slice(&[b'0' + salt / 10, b'0' + salt % 10]);
                number(out, rows.users[index]);
                out.extend_from_slice(&rows.times[index].as_bytes()[..8]);
                number(out, rows.nanos[index]);
            }
        }
    }
}

/// A buffer for a key that lies in one page: the same bytes written over and over across the edge of two take a multiple
/// of the time, which keys one behind the other seldom do.
fn buffer() -> Vec<u8> {
    const BYTES: usize = 256;
    const PAGE: usize = 4096;
    let mut others = Vec::new();
    loop {
        let buffer: Vec<u8> = Vec::with_capacity(BYTES);
        if buffer.as_ptr().addr() % PAGE <= PAGE - BYTES {
            return buffer;
        }
        others.push(buffer);
    }
}

fn text(text: &str) -> Value<'_> {
    Value::Text(text)
}

fn java_hash(text: &[u8]) -> i32 {
    text.iter().fold(0i32, |hash, byte| hash.wrapping_mul(31).wrapping_add(i32::from(*byte)))
}

/// Whether figures are not asked for; cargo tells a bench by its argument that it is one.
fn is_tiny() -> bool {
    std::env::var_os("KEYSTRIDE_BENCH").is_some() || !std::env::args().any(|argument| argument == "--bench")
}

/// Nanoseconds of CPU a key on both sides, the best of several rounds, and the median of the rounds' ratios.
struct Pair {
    ours: f64,
    hand: f64,
    ratio: f64,
}

/// Times two sides in turns, as the machine may be slower for a while.
fn pair(mut ours: impl FnMut(usize), mut hand: impl FnMut(usize)) -> Pair {
    let rounds: Vec<_> = (0..rounds()).map(|_| (round(&mut ours), round(&mut hand))).collect();
    let mut ratios: Vec<_> = rounds.iter().map(|(ours, hand)| ours / hand).collect();
    ratios.sort_by(f64::total_cmp);
    let (ours, hand): (Vec<_>, Vec<_>) = rounds.into_iter().unzip();
    Pair { ours: least(ours), hand: least(hand), ratio: ratios[ratios.len() / 2] }
}

/// Nanoseconds of CPU an item: the best of several rounds.
fn time(mut item: impl FnMut(usize)) -> f64 {
    least((0..rounds()).map(|_| round(&mut item)))
}

fn rounds() -> usize {
    if is_tiny() { 1 } else { 9 }
}

fn least(times: impl IntoIterator<Item = f64>) -> f64 {
    times.into_iter().fold(f64::MAX, f64::min)
}

/// Nanoseconds of CPU an item in one round, which is long beside the kernel's clock tick.
fn round(mut item: impl FnMut(usize)) -> f64 {
    let least_ns = if is_tiny() { 0 } else { 150_000_000 };
    let start = cpu_ns();
    let mut passes = 0;
    while passes == 0 || cpu_ns() - start < least_ns {
        // Rows that fit the smallest cache, as a loader's next row does.
        for index in 0..ROWS {
            item(black_box(index % NEXT_ROWS));
        }
        passes += 1;
    }
    #[expect(clippy::cast_precision_loss, reason = "seconds in nanoseconds")]
    let each = (cpu_ns() - start) as f64 / (ROWS * passes) as f64;
    each
}

/// Time on the processor of this thread, from the kernel's own account; 0 where there is none.
fn cpu_ns() -> u64 {
    let account = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    account.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap_or(0)
}

/// The rows of `Keys.java`: a splitmix generator with the same seed.
fn rows() -> Rows {
    let mut state = 42u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut rows = Rows {
        phones: Vec::new(),
        times: Vec::new(),
        ids: Vec::new(),
        users: Vec::new(),
        millis: Vec::new(),
        nanos: Vec::new(),
    };
    for _ in 0..ROWS {
        let [a, b, c, d] = [next(), next(), next(), next()];
        rows.phones.push(format!("138{:08}", a % 100_000_000));
        let mut time = "20200406".to_owned();
        // Writing to a String can't fail.
        let _ = write!(time, "{:02}{:02}{:02}", b % 24, (b >> 16) % 60, (b >> 32) % 60);
        rows.times.push(time);
        rows.ids.push(format!("{c:016x}"));
        rows.users.push((1_000_000_000 + a % 1_000_000_000).into());
        rows.millis.push((1_586_131_200_000 + b % 86_400_000).into());
        rows.nanos.push((1_000_000_000_000 + d % 1_000_000_000_000).into());
    }
    rows
}

/// Nanoseconds and digest of each of Java's keys in each run, the fastest first.
type JavaRuns = BTreeMap<String, Vec<(f64, String)>>;

/// How often Java is started. By chance its compiler translates the same loop in one of two ways, of which one takes
/// half as long again; the median counts.
const JAVA_RUNS: usize = 5;

/// What `Keys.java` prints; nothing where there is no Java, or a tiny run is asked for.
fn java() -> JavaRuns {
    let mut runs = JavaRuns::new();
    if is_tiny() {
        return runs;
    }
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/java/Keys.java");
    for _ in 0..JAVA_RUNS {
        let run = std::process::Command::new("java").args(["-XX:+UseSerialGC", source]).output();
        let Ok(output) = run else { break };
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            if let [name, ns, digest] = line.split('\t').collect::<Vec<_>>()[..] {
                let Ok(ns) = ns.parse() else { continue };
                runs.entry(name.to_owned()).or_default().push((ns, digest.to_owned()));
            }
        }
    }
    for run in runs.values_mut() {
        run.sort_by(|(left, _), (right, _)| left.total_cmp(right));
    }
    runs
}

#[derive(Default)]
struct Crc(crc32fast::Hasher);

impl Crc {
    fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn hex(&self) -> String {
        format!("{:08x}", self.0.clone().finalize())
    }
}
