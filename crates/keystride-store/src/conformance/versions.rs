//! How many versions are visible, in which time range, and for how long.

use super::Subject;
use super::trial::{Trial, all_versions, family};
use crate::{Family, Selection, TimeRange};

const FIVE: [&str; 5] = ["put r a:q 1 1", "put r a:q 2 2", "put r a:q 3 3", "put r a:q 4 4", "put r a:q 5 5"];

/// The number of visible versions is limited by both the family and the read.
pub async fn as_many_versions_show_as_the_family_and_the_read_allow(subject: Subject<'_>) {
    let families = [Family { versions: 3, ..Family::new(family("a")) }];
    let trial = Trial::with_families(subject, "kept", families, &[]).await;
    trial.write(&FIVE).await;
    trial.write(&["put r a:other 1 o"]).await;
    let versions = |count: u32| Selection { versions: count.try_into().unwrap(), ..Selection::default() };
    assert_eq!(trial.visible(versions(1)).await, ["r a:other@1=o a:q@5=5"]);
    assert_eq!(trial.visible(versions(2)).await, ["r a:other@1=o a:q@5=5 a:q@4=4"]);
    for more in [9, u32::MAX] {
        assert_eq!(trial.visible(versions(more)).await, ["r a:other@1=o a:q@5=5 a:q@4=4 a:q@3=3"]);
    }
}

/// A time range includes its start but not its end.
pub async fn a_time_range_holds_its_start_but_not_its_end(subject: Subject<'_>) {
    let trial = Trial::new(subject, "times").await;
    trial.write(&FIVE).await;
    let times = |min_ms, max_ms| Selection { times: TimeRange { min_ms, max_ms }, ..all_versions() };
    assert_eq!(trial.visible(times(2, 4)).await, ["r a:q@3=3 a:q@2=2"]);
    assert_eq!(trial.visible(times(5, i64::MAX)).await, ["r a:q@5=5"]);
    assert!(trial.visible(times(3, 3)).await.is_empty());
    assert!(trial.visible(times(6, 100)).await.is_empty());
}

/// Versions are counted within the time range; delete markers outside of it still apply.
pub async fn versions_are_counted_inside_the_time_range(subject: Subject<'_>) {
    let trial = Trial::new(subject, "inside").await;
    trial.write(&FIVE).await;
    let newest_of =
        |min_ms, max_ms| Selection { times: TimeRange { min_ms, max_ms }, ..Selection::default() };
    assert_eq!(trial.visible(newest_of(1, 4)).await, ["r a:q@3=3"]);
    trial.write(&["delete_column r a:q 4"]).await;
    assert!(trial.visible(newest_of(1, 4)).await.is_empty());
}

/// Cells are visible until their time to live has passed.
pub async fn cells_show_until_their_time_is_over(subject: Subject<'_>) {
    let families = [Family { ttl_seconds: Some(3_600), versions: 10, ..Family::new(family("a")) }];
    let trial = Trial::with_families(subject, "ttl", families, &[]).await;
    let (over, live) = (trial.now_ms - 7_200_000, trial.now_ms - 600_000);
    trial.write(&[&format!("put r a:q {over} old"), &format!("put r a:q {live} new")]).await;
    trial.write(&[&format!("put s a:q {over} old")]).await;
    assert_eq!(trial.all().await, [format!("r a:q@{live}=new")]);
    assert_eq!(trial.get(&["s"], &all_versions()).await, ["s"]);
}

/// The family's minimum number of versions stays visible after the time to live.
pub async fn the_newest_versions_outlive_their_time(subject: Subject<'_>) {
    let families =
        [Family { ttl_seconds: Some(3_600), versions: 10, min_versions: 2, ..Family::new(family("a")) }];
    let trial = Trial::with_families(subject, "outlive", families, &[]).await;
    trial.write(&FIVE).await;
    trial.write(&["put s a:q 1 single"]).await;
    assert_eq!(trial.all().await, ["r a:q@5=5 a:q@4=4", "s a:q@1=single"]);
    let live = trial.now_ms;
    trial.write(&[&format!("put r a:q {live} now")]).await;
    assert_eq!(trial.all().await, [format!("r a:q@{live}=now a:q@5=5"), "s a:q@1=single".into()]);
}
