use keystride_heat::live::{Axis, Cell, Cells, Column};

use super::*;

fn closed(n: i64, regions: usize) -> Vec<Closed> {
    let axis = Axis::new((1..regions).map(|region| format!("{region:04}"))).unwrap();
    let cells = Cells::new(axis, [true, true, false], &vec![Cell::known([1.0, 5.0, 0.0], 0); regions]);
    let column = Column { t0_ms: n * 60_000, t1_ms: (n + 1) * 60_000, cells: Some(cells) };
    vec![Closed { layer: 1, column: column.into() }]
}

fn kept(restored: &Restored) -> Vec<Closed> {
    let of_layer =
        |layer| restored.layers.columns_of(layer).map(move |column| Closed { layer, column: column.clone() });
    (1..Layers::COUNT).flat_map(of_layer).collect()
}

#[test]
fn what_is_kept_is_there_again_and_a_torn_end_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ns/t.heat");
    let (mut file, restored) = HeatFile::open(path.clone(), 10_000).unwrap();
    assert!(kept(&restored).is_empty());
    let columns: Vec<Closed> = (0..5).flat_map(|n| closed(n, 3 + usize::from(n > 2))).collect();
    for n in 0..5 {
        file.append(&columns[n..=n], &["a,1".into(), "b,2".into()][..=n.min(1)]).unwrap();
    }
    let (_, restored) = HeatFile::open(path.clone(), 10_000).unwrap();
    assert_eq!((kept(&restored), &*restored.servers), (columns.clone(), &["a,1".into(), "b,2".into()][..]));

    let whole = fs::read(&path).unwrap();
    for cut in (0..whole.len()).rev() {
        fs::write(&path, &whole[..cut]).unwrap();
        let (mut file, restored) = HeatFile::open(path.clone(), 10_000).unwrap();
        let before = kept(&restored);
        assert_eq!(before, columns[..before.len()], "{cut}");
        // It goes on where it was cut.
        file.append(&closed(7, 3), &[]).unwrap();
        let (_, again) = HeatFile::open(path.clone(), 10_000).unwrap();
        assert_eq!(kept(&again), [before, closed(7, 3)].concat(), "{cut}");
    }
    let mut damaged = whole.clone();
    damaged[whole.len() - 30] ^= 1;
    fs::write(&path, &damaged).unwrap();
    assert_eq!(kept(&HeatFile::open(path, 10_000).unwrap().1), columns[..4]);
}

#[test]
fn a_file_stays_bounded_and_keeps_the_newest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.heat");
    let (mut file, _) = HeatFile::open(path.clone(), 10_000).unwrap();
    let mut largest = 0;
    for n in 0..1500 {
        file.append(&closed(n, 700), &["a,1".into()]).unwrap();
        largest = largest.max(fs::metadata(&path).unwrap().len());
    }
    let (_, restored) = HeatFile::open(path, 10_000).unwrap();
    let minutes = restored.layers.columns_of(1);
    assert_eq!((minutes.len(), minutes.last().unwrap().t1_ms), (360, 1500 * 60_000));
    assert_eq!(restored.servers, ["a,1".into()]);
    let of_layers = restored.layers.memory_bytes() as u64;
    assert!(largest < 3 * of_layers, "{largest} of {of_layers}");
}

#[test]
fn other_files_are_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.heat");
    for text in ["a letter of mine\n", "keystride heat 2\nmore"] {
        fs::write(&path, text).unwrap();
        let error = HeatFile::open(path.clone(), 10_000).unwrap_err();
        assert!(matches!(error, ArchiveError::Other { .. }));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let blocked = HeatFile::open(folder.path().join("t.heat/t.heat"), 10_000);
    assert!(matches!(blocked, Err(ArchiveError::Io { .. })));
}

#[tokio::test]
async fn a_folder_is_used_by_one_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let table = TableName::new("t").unwrap();
    let [one, two] = [(); 2].map(|()| Archive::begin(folder.path()));
    one.sender().open(&table, 10_000).await.unwrap();
    let error = two.sender().open(&table, 10_000).await.unwrap_err();
    assert!(matches!(error, ArchiveError::InUse { .. }));
    one.sender().keep(&table, &closed(0, 3), &[]);
    one.close();
    let restored = two.sender().open(&table, 10_000).await.unwrap();
    assert_eq!(kept(&restored), closed(0, 3));
    let mut finest = closed(1, 3);
    finest[0].layer = 0;
    two.sender().keep(&table, &finest, &[]);
    assert_eq!(kept(&two.sender().open(&table, 10_000).await.unwrap()), closed(0, 3));
}
