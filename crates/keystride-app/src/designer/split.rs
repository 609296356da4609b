use keystride::Design;
use keystride::split::SplitSource;
use keystride_advisor::Split;

use super::EncodedRows;

/// Returns the split of a design; one by quantiles is made from these keys. `None` if there are none, or its points are in a
/// file.
pub fn split_of(design: &Design, rows: Option<&EncodedRows>) -> Option<Split> {
    match design.split_source() {
        SplitSource::Nothing => Some(design.split_points(&mut [])),
        SplitSource::Points(_) => None,
        SplitSource::Sample(_) => {
            let mut keys: Vec<Vec<u8>> = rows?.keys().map(<[u8]>::to_vec).collect();
            (!keys.is_empty()).then(|| design.split_points(&mut keys))
        }
    }
}
