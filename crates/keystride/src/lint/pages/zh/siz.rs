//! Size, in Chinese.

use crate::lint::pages::Text;

pub(crate) const SIZ01: Text = Text {
    title: "列族和列限定符的名称太长",
    checks: "列族 (column family) 名超过两个字符，列限定符 (qualifier) 平均超过八个字符。",
    why: "HBase 在每行的每个 cell 里都存列族名和列限定符。\"info\" 加 \"departure_delay\" 是 19 字节，而值也许只有三个字节；
一亿行、每行 24 个这样的 cell，光名称就是 45 GB（压缩前）。",
    remedy: "列族用一两个字母，列限定符用短词：`dep_delay = { qualifier = \"dd\" }`。设计文件里仍保留给人看的长名称。",
};

pub(crate) const SIZ02: Text = Text {
    title: "既没有块编码，也没有压缩",
    checks: "列族 (column family) 既没有 `encoding` 也没有 `compression`，这是 HBase 的默认值。报告会给出一行的原始字节数，
以及其中有多少是在重复键。",
    why: "每个 cell 都存着完整的行键 (row key)、列族、列限定符 (qualifier) 和时间戳。键长 40 字节、一行 24 个 cell，
原始大小是 1,850 字节，其中 920 字节在重复键；FAST_DIFF 省掉重复的前缀，只存大约 351 字节。",
    remedy: "建表时写 `families.f = { encoding = \"fast-diff\", compression = \"zstd\" }`。以后也能改，
但旧文件要到 compaction 之后才变。",
};

pub(crate) const SIZ03: Text = Text {
    title: "用 FAST_DIFF 而键长不固定",
    checks: "列族 (column family) 用了 `encoding = \"fast-diff\"`，而键的长度会变。相邻两行有多少长度不同，样本能说明。",
    why: "FAST_DIFF 省掉一行与前一行相同的前缀，但前提是两个键一样长：长度不同时，整个键重写一遍。在一次试验里，
变长的键占原始大小的 0.74，定长的占 0.60。",
    remedy: "不费什么的地方用定长：`pad`、二进制数。但没有理由为此把长文本补齐。",
};

pub(crate) const SIZ04: Text = Text {
    title: "列族超过三个",
    checks: "表的列族 (column family) 个数。",
    why: "一个 region 的各个列族一起 flush：一个 memstore 满了，全部都写，四个小列族每次就写出四个小文件。
compaction 再把它们一遍遍地读写，扫描 (scan) 时每个文件都要打开。",
    remedy: "一个列族；有一部分数据很大又很少读时用两个。HBase 官方手册也这样建议。",
};

pub(crate) const SIZ05: Text = Text {
    title: "字段既在键里又在列里",
    checks: "能从键里还原、又作为列保存的字段。",
    why: "值已经随键存在这一行的每个 cell 里，又单独存成一个 cell，带上完整的键、名称和时间戳：大约 60 字节，
存的是已知的内容。别的程序要读这一列时，这样做是对的，那就接受它。",
    remedy: "不写 `keep`：需要这个字段时，keystride 从键里读出来。",
};

pub(crate) const SIZ06: Text = Text {
    title: "行或实体无止境地增长",
    checks: "在由完整实体组成的样本里，取最大的几个实体的行数和字节数，按行的保留时间推算。",
    why: "一行不能分裂，键连成一段的实体也是整段读取。一年后一个实体有 4 GB，自己就是一个 region，扫描 (scan)
它会堵住一切。Cassandra 的经验是每个分区不超过 100 MB、100,000 个值。",
    remedy: "在键里加上周期，比如时间前面放月份，让实体的这一段有个尽头；或者让旧的行过期。",
};
