use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;

/// What can be asked, for programs.
const DOCUMENT: &str = include_str!("openapi.json");

pub(super) async fn document() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], DOCUMENT)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::api::routes::{Access, routes};

    /// Path, method and access of each thing that can be asked.
    fn asked() -> BTreeSet<[String; 3]> {
        let access = |access| if access == Access::Write { "write" } else { "read" };
        routes()
            .iter()
            .map(|route| [route.path, route.method, access(route.access)].map(str::to_owned))
            .collect()
    }

    #[test]
    fn the_document_describes_what_can_be_asked() {
        let document: Value = serde_json::from_str(DOCUMENT).unwrap();
        let mut described = BTreeSet::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, operation) in
                methods.as_object().unwrap().iter().filter(|(name, _)| *name != "parameters")
            {
                let access = operation["x-access"].as_str().unwrap();
                described.insert([path, method, access].map(str::to_owned));
            }
        }
        assert_eq!(described, asked(), "openapi.json and routes.rs differ");
    }

    #[test]
    fn the_page_has_a_line_for_each_thing_that_can_be_asked() {
        let page = include_str!("../../../../docs/console.md");
        let cells = |line: &str| {
            line.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect::<Vec<_>>()
        };
        let lines = page.lines().map(cells).filter(|cells| cells.len() == 6 && cells[2].starts_with('/'));
        let described = lines.map(|cells| [cells[2].clone(), cells[1].to_lowercase(), cells[3].clone()]);
        assert_eq!(described.collect::<BTreeSet<_>>(), asked(), "docs/console.md and routes.rs differ");
    }
}
