//! A large map in Chromium: its first picture, and steps of the cursor and of the zoom.

use std::sync::Arc;

use keystride_bench::{Bound, Figures, Size};
use keystride_browser_harness::{Browser, Look, Page};
use keystride_console::{Listen, Listener, Options};
use keystride_store::{Family, FamilyName, MemoryStore, Store as _, TableDescription, TableName};
use serde_json::{Value, json};

use crate::{Failure, map, median};

/// Takes the place of the stream of events: the bench gives the map.
const SOURCE: &str = "const real = window.fetch;
    window.fetch = async (url, options) => (/\\/heat\\?/.test(url)
      ? new Response(new ReadableStream({ start(source) { window.source = source; } }))
      : real(url, options));";

/// Functions of all scripts. `frame(act)` is the time in ms of one frame's work: what `act` does, and what is laid out and painted after it.
const FRAME: &str = "const canvas = () => document.querySelector('main canvas');
    const frame = (act) => new Promise((done) => requestAnimationFrame(() => {
      const begun = performance.now();
      act();
      const after = new MessageChannel();
      after.port1.onmessage = () => done(performance.now() - begun);
      after.port2.postMessage(0);
    }));";

/// The time from the event with the map until its picture is painted.
const PICTURE: &str = "const begun = performance.now();
    window.source.enqueue(new TextEncoder().encode(`event: view\ndata: ${arguments[0]}\n\n`));
    while (!canvas()) await frame(() => {});
    await frame(() => {});
    return performance.now() - begun;";

/// What any picture of these data takes: to read them, and to put as many pixels.
const LEAST: &str = "const begun = performance.now();
    const { block } = JSON.parse(arguments[0]);
    const text = atob(block);
    const bytes = Uint8Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
    const { width, height } = canvas();
    const other = document.createElement('canvas');
    Object.assign(other, { width, height });
    document.body.append(other);
    const context = other.getContext('2d');
    const image = context.createImageData(width, height);
    new Uint32Array(image.data.buffer).forEach((_, at, pixels) => { pixels[at] = 0xff000000 | bytes[at % bytes.length]; });
    await frame(() => context.putImageData(image, 0, 0));
    const ms = performance.now() - begun;
    other.remove();
    return ms;";

const CURSOR: &str = "const times = [];
    const box = canvas().getBoundingClientRect();
    for (let step = 0; step < arguments[0]; step += 1) {
      const [x, y] = [(step * 37) % box.width, (step * 53) % box.height];
      times.push(await frame(() => canvas().dispatchEvent(new MouseEvent('mousemove', { bubbles: true, clientX: box.left + x, clientY: box.top + y }))));
    }
    return times;";

const ZOOM: &str = "const times = [];
    const press = (key, shiftKey = false) => canvas().dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true }));
    for (let step = 0; step < arguments[0]; step += 1) {
      press(step % 8 < 4 ? 'ArrowUp' : 'ArrowLeft');
      await frame(() => {});
      times.push(await frame(() => press(step % 8 < 4 ? '+' : '-')));
    }
    return times;";

/// What a first picture may take, and one frame of 60 a second, in ms.
const PICTURE_MS: f64 = 300.0;
const FRAME_MS: f64 = 16.0;

pub(crate) async fn add(figures: &mut Figures, size: Size) -> Result<(), Failure> {
    let event = json!(map::event(size)?);
    let browser = Browser::start()?;
    let (mut pictures, mut least) = (Vec::new(), Vec::new());
    let rounds = size.pick(1, 5);
    let mut page = None;
    for _ in 0..rounds {
        let opened = page.insert(open(&browser).await?);
        pictures.push(number(&run(opened, PICTURE, &event).await?)?);
        least.push(number(&run(opened, LEAST, &event).await?)?);
    }
    let page = page.ok_or("no round was run")?;
    let (picture, least) = (median(pictures), median(least));
    let once = Bound::AtMost(1.0, 0.5);
    figures.add("C1", "ms, first picture of 10,000 regions, 360 columns", picture, PICTURE_MS, once);
    figures.add(
        "C1",
        "the same, vs reading its data and putting as many pixels",
        picture,
        least,
        Bound::Told,
    );
    let steps = json!(size.pick(8, 200));
    for (id, what, script) in [("C2", "the cursor", CURSOR), ("C3", "the zoom", ZOOM)] {
        let times = run(&page, script, &steps).await?;
        let times =
            times.as_array().ok_or("no times")?.iter().map(number).collect::<Result<Vec<f64>, _>>()?;
        figures.add(id, &format!("ms, a step of {what}, the median"), median(times), FRAME_MS, once);
    }
    Ok(())
}

/// Opens the heat of a table, without what the console says of it.
async fn open(browser: &Browser) -> Result<Page, Failure> {
    let store = MemoryStore::default();
    let table = TableDescription::new(TableName::new("t")?, [Family::new(FamilyName::new("f")?)]);
    store.create(&table, &keystride::SplitPoints::default()).await?;
    let listener = Listener::bind(Listen::At(([127, 0, 0, 1], 0).into())).await?;
    let (running, serving) = listener.serve(Arc::new(store), Options::new("embedded:data".parse()?))?;
    tokio::spawn(serving);
    let page = browser.page(Look { width: 1920, height: 1080, ..Look::default() }).await?;
    page.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": SOURCE })).await?;
    page.open(&running.url_with_token("t/t/heat")).await?;
    page.wait_until("return window.source !== undefined", &[]).await?;
    Ok(page)
}

async fn run(page: &Page, script: &str, argument: &Value) -> Result<Value, Failure> {
    let script = format!("return (async function () {{ {FRAME} {script} }}).apply(null, arguments)");
    Ok(page.run_js(&script, std::slice::from_ref(argument)).await?)
}

fn number(value: &Value) -> Result<f64, Failure> {
    value.as_f64().ok_or_else(|| format!("{value} is no time").into())
}
