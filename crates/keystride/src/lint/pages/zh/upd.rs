//! Updates, in Chinese.

use crate::lint::pages::Text;

pub(crate) const UPD01: Text = Text {
    title: "会变的字段在键里",
    checks: "`updated = true` 的字段在键里，或者桶 (bucket) 由它算出。",
    why:
        "键不能改。状态在键里，一行的状态从 open 变成 done，就得删一行再插一行：两个操作，可能在两台服务器上，
其间两行并存，崩溃之后还会留下一行没人去找的孤儿数据。",
    remedy: "不要放进键里。必须按它查找时，另建一张表作索引，索引里的条目只当线索，要到主表的行上核对。",
};
