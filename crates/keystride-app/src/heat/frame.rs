//! A view as one run of bytes.

use keystride_heat::live::view::View;

/// Returns a view for a page: the length of its head in four bytes, big-endian; the head, a JSON document; and the block
/// that the head describes. `servers` are the names of [`HeatWatch::servers`](super::HeatWatch::servers).
///
/// ```
/// # use keystride_app::heat::view_frame;
/// # use keystride_heat::live::{Column, Metric};
/// # use keystride_heat::live::view::{View, ViewRequest};
/// let view = View::of(&[Column::gap(0, 1000).into()], &ViewRequest::new(Metric::RowsWritten));
/// let frame = view_frame(&view, &[])?;
/// let (head_len, rest) = frame.split_first_chunk().expect("four bytes");
/// let (head, block) = rest.split_at(u32::from_be_bytes(*head_len) as usize);
/// let head: serde_json::Value = serde_json::from_slice(head)?;
/// assert_eq!(head["columns"], serde_json::json!([[0, 1000]]));
/// assert_eq!((&head["gaps"], &head["rows"]), (&serde_json::json!([0]), &1.into()));
/// assert_eq!(block, [0, 0, 2]); // one code, and the flag of what is unknown
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
///
/// None for any view: its head is made of numbers and texts.
pub fn view_frame(view: &View, servers: &[Box<str>]) -> serde_json::Result<Vec<u8>> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, &view.document(servers))?;
    // A view has thousands of rows and columns, not billions.
    let head_len = u32::try_from(frame.len() - 4).unwrap_or(u32::MAX);
    frame[..4].copy_from_slice(&head_len.to_be_bytes());
    frame.extend_from_slice(&view.block());
    Ok(frame)
}
