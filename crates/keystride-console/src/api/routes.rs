use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn_with_state, map_response};
use axum::routing::{MethodRouter, delete, get, post};

use super::worded::worded;
use super::{
    create, designer, designs, explain, extracts, files, heat, jobs, key, loads, openapi, query, remove,
    session, split, splits, table, tables,
};
use crate::safety::demand_write;
use crate::served::Shared;

/// What a request can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    /// Changes a table: it takes `--allow-write`.
    Write,
}

/// A thing that can be asked.
pub(super) struct Route {
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the description of the interface is compared with it")
    )]
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) access: Access,
    handler: MethodRouter<Shared>,
}

/// All that can be asked.
pub(super) fn routes() -> Vec<Route> {
    use Access::{Read, Write};
    let route = |method, path, access, handler| Route { method, path, access, handler };
    vec![
        route("get", "/openapi.json", Read, get(openapi::document)),
        route("get", "/session", Read, get(session::session)),
        route("post", "/design", Read, post(designs::read)),
        route("post", "/design/compare", Read, post(designer::compare)),
        route("post", "/design/edit", Read, post(designer::edit)),
        route("post", "/design/findings", Read, post(designer::findings)),
        route("post", "/design/new", Read, post(designer::new)),
        route("post", "/design/preview", Read, post(designer::preview)),
        route("post", "/design/sample", Read, post(designer::sample)),
        route("post", "/design/save", Read, post(designer::save)),
        route("get", "/explain/{lint}", Read, get(explain::explain)),
        route("get", "/files", Read, get(files::list)),
        route("get", "/jobs", Read, get(jobs::list)),
        route("get", "/jobs/{job}", Read, get(jobs::show)),
        route("get", "/jobs/{job}/events", Read, get(jobs::events)),
        route("post", "/jobs/{job}/cancel", Read, post(jobs::cancel)),
        route("post", "/uploads", Read, post(files::upload).layer(DefaultBodyLimit::disable())),
        route("post", "/key", Read, post(key::read)),
        route("post", "/splits", Read, post(splits::preview)),
        route("get", "/tables", Read, get(tables::list)),
        route("post", "/tables", Write, post(create::create)),
        route("get", "/tables/{table}", Read, get(table::describe)),
        route("delete", "/tables/{table}", Write, delete(remove::drop_table)),
        route("get", "/tables/{table}/regions", Read, get(table::regions)),
        route("get", "/tables/{table}/check", Read, get(table::check)),
        route("get", "/tables/{table}/findings", Read, get(heat::found)),
        route("get", "/tables/{table}/heat", Read, get(heat::live)),
        route("get", "/tables/{table}/heat/behind", Read, get(heat::behind)),
        route("post", "/tables/{table}/heat/planned", Read, post(heat::planned)),
        route("post", "/tables/{table}/plan", Read, post(query::plan)),
        route("post", "/tables/{table}/rows", Read, post(query::rows)),
        route("post", "/tables/{table}/extracts", Read, post(extracts::begin)),
        route("post", "/tables/{table}/loads", Write, post(loads::begin)),
        route("post", "/tables/{table}/loads/trial", Read, post(loads::try_it)),
        route("post", "/tables/{table}/split", Write, post(split::split)),
        route("post", "/tables/{table}/truncate", Write, post(remove::truncate)),
        route("post", "/tables/{table}/compact", Write, post(remove::compact)),
    ]
}

pub(super) fn api(served: &Shared) -> Router<Shared> {
    let add = |router: Router<Shared>, Route { path, access, handler, .. }| {
        let handler = match access {
            Access::Read => handler,
            Access::Write => handler.route_layer(from_fn_with_state(served.clone(), demand_write)),
        };
        router.route(path, handler)
    };
    routes().into_iter().fold(Router::new(), add).layer(map_response(worded))
}
