//! Delete markers hide what HBase's delete markers hide.

use super::Subject;
use super::trial::{Trial, all_versions, scan_of};

const PUTS: [&str; 6] = [
    "put r a:p 3 p3",
    "put r a:q 1 q1",
    "put r a:q 2 q2",
    "put r a:q 3 q3",
    "put r a:q 4 q4",
    "put r b:q 3 b3",
];

/// Each kind of delete marker hides what it covers, and no more.
pub async fn each_kind_of_mark_hides_what_it_covers(subject: Subject<'_>) {
    let cases = [
        ("delete r a:q 3", "r a:p@3=p3 a:q@4=q4 a:q@2=q2 a:q@1=q1 b:q@3=b3"),
        ("delete r a:q 9", "r a:p@3=p3 a:q@4=q4 a:q@3=q3 a:q@2=q2 a:q@1=q1 b:q@3=b3"),
        ("delete_column r a:q 3", "r a:p@3=p3 a:q@4=q4 b:q@3=b3"),
        ("delete_column r a: 9", "r a:p@3=p3 a:q@4=q4 a:q@3=q3 a:q@2=q2 a:q@1=q1 b:q@3=b3"),
        ("delete_family r a 3", "r a:q@4=q4 b:q@3=b3"),
        ("delete_family_version r a 3", "r a:q@4=q4 a:q@2=q2 a:q@1=q1 b:q@3=b3"),
        ("delete_family other a 9", "r a:p@3=p3 a:q@4=q4 a:q@3=q3 a:q@2=q2 a:q@1=q1 b:q@3=b3"),
    ];
    for (number, (mark, expected)) in cases.into_iter().enumerate() {
        let trial = Trial::new(subject, &format!("mark{number}")).await;
        trial.write(&PUTS).await;
        trial.write(&[mark]).await;
        assert_eq!(trial.all().await, [expected], "{mark}");
    }
}

/// A delete marker hides values that are written after it but have timestamps it covers.
pub async fn a_mark_hides_what_is_written_after_it(subject: Subject<'_>) {
    let marks =
        ["delete r a:q 5", "delete_column r a:q 5", "delete_family r a 5", "delete_family_version r a 5"];
    for (number, mark) in marks.into_iter().enumerate() {
        let trial = Trial::new(subject, &format!("after{number}")).await;
        trial.write(&[mark]).await;
        trial.write(&["put r a:q 5 late", "put r b:q 5 other"]).await;
        assert_eq!(trial.all().await, ["r b:q@5=other"], "{mark}");
    }
}

/// A delete marker hides nothing with a newer timestamp, whether written before or after it.
pub async fn a_mark_hides_nothing_newer(subject: Subject<'_>) {
    let trial = Trial::new(subject, "newer").await;
    trial.write(&["put r a:q 7 before", "delete_column r a:q 5", "delete_family r a 6"]).await;
    trial.write(&["put r a:q 8 after", "put r a:p 7 beside"]).await;
    assert_eq!(trial.all().await, ["r a:p@7=beside a:q@8=after a:q@7=before"]);
}

/// Deleting the latest version of a column reveals the previous one.
pub async fn deleting_the_latest_brings_back_the_one_before(subject: Subject<'_>) {
    let trial = Trial::new(subject, "latest").await;
    trial.write(&PUTS).await;
    trial.write(&["delete r a:q now"]).await;
    assert_eq!(trial.visible(crate::Selection::default()).await, ["r a:p@3=p3 a:q@3=q3 b:q@3=b3"]);
    trial.write(&["delete r a:q now"]).await;
    assert_eq!(trial.all().await, ["r a:p@3=p3 a:q@2=q2 a:q@1=q1 b:q@3=b3"]);
    trial.write(&["delete r a:unknown now"]).await;
    assert_eq!(trial.all().await, ["r a:p@3=p3 a:q@2=q2 a:q@1=q1 b:q@3=b3"]);
}

/// Deleting without a timestamp hides everything up to the current time.
pub async fn deleting_without_a_time_hides_all_until_now(subject: Subject<'_>) {
    let trial = Trial::new(subject, "until_now").await;
    trial.write(&PUTS).await;
    trial.write(&["delete_column r a:q now"]).await;
    assert_eq!(trial.all().await, ["r a:p@3=p3 b:q@3=b3"]);
    trial.write(&["delete_family r a now"]).await;
    assert_eq!(trial.all().await, ["r b:q@3=b3"]);
}

/// Delete markers in one family do not affect other families.
pub async fn marks_in_one_family_leave_the_others_alone(subject: Subject<'_>) {
    let trial = Trial::new(subject, "families").await;
    trial
        .write(&["put r a: 1 a", "put r b: 1 b", "delete_column r a: 5", "delete_family_version s b 1"])
        .await;
    trial.write(&["put s a:x 1 s"]).await;
    assert_eq!(trial.all().await, ["r b:@1=b", "s a:x@1=s"]);
}

/// A row without visible cells is skipped by a scan and returned without cells by a get.
pub async fn a_row_with_nothing_left_is_not_given_back(subject: Subject<'_>) {
    let trial = Trial::new(subject, "gone").await;
    trial.write(&["put r a:q 1 v", "put s a:q 1 v", "delete_family r a 1"]).await;
    assert_eq!(trial.scan(scan_of(all_versions())).await, ["s a:q@1=v"]);
    assert_eq!(trial.get(&["r", "s"], &all_versions()).await, ["r", "s a:q@1=v"]);
}
