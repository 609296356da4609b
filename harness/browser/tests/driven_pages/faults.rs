use std::error::Error;
use std::fs;
use std::net::TcpListener;
use std::time::Duration;

use keystride_browser_harness::{BrowserError, Look, browser_or_skip};

use crate::site::serve;

#[tokio::test]
async fn the_console_tells_of_scripts_requests_and_what_the_policy_blocks() -> Result<(), Box<dyn Error>> {
    let Some(browser) = browser_or_skip("the_console_tells_of_scripts_requests_and_what_the_policy_blocks")
    else {
        return Ok(());
    };
    let page = browser.page(Look::default()).await?;
    let url = serve()?;
    page.open(&format!("{url}?<img src=/gone.png><script>console.log(1)</script>")).await?;
    page.run_js("console.info('fine'); setTimeout(() => { throw new Error('thrown') })", &[]).await?;
    page.run_js("return new Promise((done) => setTimeout(done, 1))", &[]).await?;

    let errors = page.console_errors().await?;
    for (about, count) in
        [("gone.png - ", 1), ("Content Security Policy", 1), ("Error: thrown", 1), ("fine", 0)]
    {
        assert_eq!(
            errors.iter().filter(|error| error.contains(about)).count(),
            count,
            "{about} in {errors:#?}"
        );
    }
    assert_eq!(page.console_errors().await?, [""; 0]);
    Ok(())
}

#[tokio::test]
async fn axe_names_the_barriers_of_a_page() -> Result<(), Box<dyn Error>> {
    let Some(browser) = browser_or_skip("axe_names_the_barriers_of_a_page") else { return Ok(()) };
    let page = browser.page(Look::default()).await?;
    let url = serve()?;
    page.open(&url).await?;
    assert_eq!(page.axe().await?, []);

    page.open(&format!("{url}?<title>t</title><main><h1>t</h1><img id=i src=/favicon.ico></main>")).await?;
    let violations = page.axe().await?;
    assert_eq!(violations.iter().map(|found| &*found.id).collect::<Vec<_>>(), ["html-has-lang", "image-alt"]);
    assert_eq!(violations[1].nodes, ["<img id=\"i\" src=\"/favicon.ico\">"]);
    assert_eq!(page.console_errors().await?, [""; 0]);
    Ok(())
}

#[tokio::test]
async fn a_failed_wait_tells_what_the_page_shows() -> Result<(), Box<dyn Error>> {
    let Some(browser) = browser_or_skip("a_failed_wait_tells_what_the_page_shows") else { return Ok(()) };
    let page = browser.page(Look::default()).await?.with_patience(Duration::from_millis(50));
    let url = serve()?;
    page.open(&url).await?;

    let error = page.wait_for_text("16 regions").await.expect_err("the page has none");
    let message = error.to_string();
    assert!(message.contains("16 regions") && message.contains(&url), "{message}");
    assert!(message.contains("Split by"), "{message}");
    let BrowserError::Unmet { screenshot: Some(screenshot), .. } = error else { panic!("{error:?}") };
    assert!(message.contains(&*screenshot.to_string_lossy()), "{message}");
    fs::remove_file(screenshot)?;

    let error = page.click("Make table").await.expect_err("no button is named so").to_string();
    assert!(error.contains("\"Create table\""), "{error}");
    let error = page.choose("Store", "hbase").await.expect_err("no option is named so").to_string();
    assert!(error.contains("\"memory\", \"embedded\""), "{error}");
    let error = page.click("Create table").await.expect_err("it is disabled").to_string();
    assert!(error.contains("is disabled"), "{error}");
    let error = page.run_js("return nothing.there", &[]).await.expect_err("it throws").to_string();
    assert!(error.contains("nothing is not defined"), "{error}");
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let error =
        page.open(&format!("http://127.0.0.1:{port}/")).await.expect_err("nobody answers").to_string();
    assert!(error.contains("ERR_"), "{error}");
    Ok(())
}
