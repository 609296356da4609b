//! Splits and buckets, in Chinese.

use crate::lint::pages::Text;

pub(crate) const SPL01: Text = Text {
    title: "桶与 region 对不上",
    checks: "每个桶 (bucket) b 拥有从它的前缀到下一个前缀之间的键。把这些区间铺到各个 region 上：某个 region
分到的桶比均分时多，或者夹在中间的 region 一个桶也没有，就是错误。这是由字节证明的，不需要样本。",
    why: "11 个桶、前缀一位数字时，10 号桶写成 \"10_\"，它排在分裂点 (split point) \"0|\" 与 \"1|\" 之间：1 号 region 装下
1 号和 10 号两个桶，负载加倍，10 号 region 永远收不到键。101 个桶、1001 个桶时也是如此，其他数目不会。",
    remedy: "让 keystride 按桶来切：`[split] by = \"bucket\"`，桶的宽度要放得下最后一个桶的编号。",
};

pub(crate) const SPL02: Text = Text {
    title: "桶的宽度放不下桶的编号",
    checks: "桶 (bucket) 声明的 `width`，或者 `partition-keys` 分裂规则的宽度，小于最后一个桶编号的位数。",
    why: "格式化只补零，不截断：宽度为 1 时，10 号桶写成 \"10\"。于是前缀长短不一，不按编号排序；后面若没有文本，
下一部分的头几位数字与桶的编号就分不开了：\"1\" + \"05\" 等于 \"10\" + \"5\"。",
    remedy: "不写 `width`，它就取 count - 1 的位数；或者把它设成这个位数。",
};

pub(crate) const SPL03: Text = Text {
    title: "分裂点的后缀排在键的分隔符之前",
    checks: "分裂点 (split point) 是桶 (bucket) 的前缀加一个后缀，本意是各个桶的 region 的末尾。
把这个后缀与键里前缀之后的内容相比。",
    why: "键是 \"0_…\" 时，分裂点 \"0|\"、\"1|\" 没问题，因为 '_'（5F）排在 '|'（7C）之前。键是 \"0|…\" 或 \"0~…\" 时，
\"0|\" 不在 0 号桶之后而在它之前：每个桶都后移一个 region，0 号 region 空着，最后一个 region 装两个桶。",
    remedy: "直接用 1 号到 B - 1 号桶的前缀来切（`by = \"bucket\"`，不写 `suffix`）：光是前缀，
就排在所有以它开头的键之前，后面跟什么都一样。",
};

pub(crate) const SPL04: Text = Text {
    title: "有 region 没有任何键能到达",
    checks: "对每个 region，根据字段的类型、范围和字符集算出不小于其 start 的最小的键。如果这个键已经在 region 之后，
就不可能有行落进来。这是证明，不像样本那样会碰巧出错。",
    why: "HBase 官方手册里就有这个例子：十六进制的键，在 '0…' 与 'f…' 的字节之间均匀切成十个 region。
十个里只有四个能到达，其中一个只装得下一个键。其余的白占内存，也妨碍均衡：balancer 数的是 region 个数，
摊到空 region 的服务器看上去和别的一样忙。",
    remedy: "用适合这些键的算法来切（数字用 DecimalStringSplit，小写十六进制用 HexStringSplit，二进制用 UniformSplit），
或者按桶 (bucket) 切，或者按样本的分位点切。",
};

pub(crate) const SPL05: Text = Text {
    title: "第一个 region 永远收不到键",
    checks: "第一个分裂点 (split point) 不大于最小的键，所以没有任何键排在它前面。最后一个 region 也空着时，合成一条报告。",
    why: "有一张表按 MD5 首位的 16 个十六进制数字加盐值 (salt)，却在 000、001 … 016 处切开：17 个点切出 18 个 region。
没有键排在 \"000\" 之前，也没有键排在 \"016\" 或其后，所以 0 号和 17 号 region 永远是空的；逐个 region
写成的查询，有两个分支一行也返回不了。",
    remedy: "去掉外侧没有键的点，或者用 `by = \"bucket\"`，n 个桶 (bucket) 就切 n - 1 个点。fix 会选其中一种。",
};

pub(crate) const SPL06: Text = Text {
    title: "最后一个 region 永远收不到键",
    checks: "最后一个分裂点 (split point) 大于最大的键，所以没有任何键排在它或它之后。第一个 region
也空着时，按 SPL05 报告。",
    why: "“六个分区”，六个点 \"0|\" 到 \"5|\"，其实是七个 region：5 号桶 (bucket) 的键以 \"5_\" 开头，排在 \"5|\" 之前，
所以第七个 region 一个键也收不到。n 个 region 要 n - 1 个点。空 region 照样会分给某台服务器，
负载从第一天起就差一份。",
    remedy: "去掉最后一个点，或者用 `by = \"bucket\"`。",
};

pub(crate) const SPL07: Text = Text {
    title: "分裂算法不适合这些键",
    checks: "表由 HBase 自带的某个算法切分，而键的全部可能取值表明，有 region 无法到达；或者打头的字段都声明了范围，
而某个 region 分到的超过应得份额的两倍。",
    why: "每种算法都假定了一种字符集。UniformSplit 在八个字节的 00 到 FF 之间切：十进制文本都以 30 到 39 开头，
全落进 16 个 region 中的一个。HexStringSplit 用在 8 位十进制数上，16 个 region 用到 10 个；
用在 1 到 100,000 的大端 int 上，只用到一个。",
    remedy: "小写十六进制文本用 HexStringSplit，从第一位就在变的数字用 DecimalStringSplit，散列字节用 UniformSplit；
有桶 (bucket) 时用 `by = \"bucket\"`；其他情况按样本的分位点切。",
};

pub(crate) const SPL08: Text = Text {
    title: "分裂点重复、为空或乱序",
    checks: "按写下的样子看这些分裂点 (split point)。同一个点写两次、点为空，都是错误；顺序与字节序不同是警告，
因为 HBase 客户端和 keystride 都会重新排序。",
    why: "有重复的点，HBase 拒绝建表；空的点本来就是表的开头。点的顺序与字节序不同，说明写的人以为是另一种顺序：
\"10|\" 排在 \"1|\" 之前，\"2|\" 排在 \"10|\" 之后，于是某个 region 不是原先想要的那个。",
    remedy: "每个点只写一次，按字节序排列；数字写成 `ints` 或 `longs`，它们按数值比较。",
};

pub(crate) const SPL09: Text = Text {
    title: "桶的数目与服务器的数目不相称",
    checks: "B 个桶 (bucket) 放在 S 台服务器上，能用到其中的 B / (S * ceil(B / S))。现在就低于 0.9 报警告；
多一台或少一台服务器时低于 0.9 报提示。",
    why: "10 个桶放在 8 台服务器上，两台各有两个桶，六台各有一个：前两台已经满负荷，其余的还有一半空闲，
上限只有集群的 62%。散列和 balancer 都补救不了，因为只在末尾增长的桶，任何时刻都只有一个 region 在写。",
    remedy: "取约数多的数目：12、24、48、60、120、240。从 9 (S - 1) 个桶起，对任何 S 都必定达到 0.9；但桶越多扫描 (scan)
越宽（SLT11），够用就好。",
};

pub(crate) const SPL10: Text = Text {
    title: "不断增长的桶在桶内又被切开",
    checks: "键是桶 (bucket) 后接时间，每个桶都切成同样多的 g 个 region，而 g 与服务器台数有公约数。",
    why: "每个桶里只有最前沿的那个 region 在收数据。新建表的 region 由 HBase 按键的顺序分给各台服务器，
所以这些前沿彼此相隔 g 台：8 台服务器、g = 4 时，全部前沿落在 8 / 4 = 2 台上，另外六台无事可做。",
    remedy: "每个桶建一个 region（`by = \"bucket\"`），随着数据增长再让表自己分裂。几个热点实体的末尾，
也可能以同样的方式聚到一台服务器上。",
};

pub(crate) const SPL11: Text = Text {
    title: "过去的分裂点不适合将来的数据",
    checks: "按到达顺序，用样本的前四分之一来切 region，其余的行分进去。在不均衡度超过容许值的表里，某个 region
在将来的数据中分到的超过应得份额的两倍，就是错误。",
    why: "“用户 id 递增，最新的用户最活跃”，相关性检验的 r = 0.60，看不出单调；可在 5,000 行的窗口里，
最后一个 region 收了 99.6% 的行。昨天的分位点，说明不了昨天还不存在的键。",
    remedy: "让不增长的东西打头：按实体计算的桶 (bucket)，或者反转、散列过的 id。这样从过去得来的分裂点 (split point)
才继续有意义。",
};

pub(crate) const SPL12: Text = Text {
    title: "要切的 region 多，样本的行太少",
    checks: "平均每个 region 的样本行数，与让每个 region 有 95% 的把握保持在应得份额 20% 以内所需的行数相比：
ln(R / 0.05) / (0.2 - ln 1.2)。",
    why: "每个 region 只有 12 行样本时，分位点多半是碰运气：这样一个 region 的份额上下浮动三分之一，64 个里最大的那个，
还没加载一行就接近平均值的两倍。64 个 region 要控制在 20% 以内，需要 26,000 行，即每个 region 405 行，
而且要独立抽取：只取文件开头的行最糟。",
    remedy: "多抽一些行，均匀取自整个输入；或者少切一些 region。",
};

pub(crate) const SPL13: Text = Text {
    title: "region 太多，服务器太少",
    checks:
        "切出的 region 数除以服务器台数，与 `regions_per_server` 相比。服务器的内存能否承受正在写的 region，
要看堆和 flush 的大小，设计文件里没有这些。",
    why: "每个 region 的每个列族 (column family) 都有一个 memstore，要占一份堆。堆 16 GB、flush 大小 128 MB、
一个列族时，同时在写的 region 超过 51 个，flush 就会提前而且零碎，compaction 把同样的数据一遍遍地读写。",
    remedy: "少切一些：大致按每个 10 GB 来算，取桶 (bucket) 数的倍数；一台服务器上同时在写的不要超过几十个。",
};

pub(crate) const SPL14: Text = Text {
    title: "分裂策略的前缀不比桶长",
    checks: "表上有禁止在前缀内部分裂的选项（KeyPrefixRegionSplitPolicy），而它的前缀与桶 (bucket) 一样宽或者更窄。
设计文件不写这类表选项，所以要看真实的表或建表脚本。",
    why: "策略要求前三个字节相同的行留在一起，键又以三位数字的桶开头，结果就是整个桶留在一起：007 号桶的 region
长到多大都不能分裂，compaction 也跟着越来越重。",
    remedy: "前缀取到实体的末尾，或者不设。",
};

pub(crate) const SPL15: Text = Text {
    title: "n 个点切出 n + 1 个 region",
    checks: "列表里分裂点 (split point) 的个数与键的桶 (bucket) 数相同，或者多一个：看上去像是该数点的地方数了 region。",
    why: "六个桶配六个点，是七个 region；第七个空着，或者某个桶被切成两半。这个错很常见，因为 shell 和教程把两者都叫
splits：HBase 的 `SPLITS` 是点，`NUMREGIONS` 才是 region 数，17 个点就是 18 个 region。",
    remedy: "点数比 region 数少一。`by = \"bucket\"` 会自己数。",
};

pub(crate) const SPL16: Text = Text {
    title: "二进制的分裂点写成了十六进制文本",
    checks: "键以二进制数开头，而每个分裂点 (split point) 都是十六进制数字的文本，数的每个字节对应两位。",
    why: "'0000000a' 是八个字节，30 30 30 30 30 30 30 61。键里的 int 10 是四个字节，00 00 00 0A；小于 808,464,432 的正
int 都排在 30 30 30 30 之前：这样的点切不到键能到达的任何地方。`Bytes.toHex` 给出的是这种形式，
要的是 `Bytes.toStringBinary` 的形式。",
    remedy: "把数写成 `ints = [10]` 或 `longs = [10]`，或者把字节写在单引号里：'\\x00\\x00\\x00\\x0A'。",
};
