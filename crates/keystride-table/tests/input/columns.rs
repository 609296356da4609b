use keystride_table::input::*;

use crate::reading::*;

const TEXT: &str = "phone,ts,city,n,Dep Time,kind\n12345,,a,1,0517,NA\n12346,,b,2,518,é\n";

#[test]
fn columns_that_no_field_names_are_an_error_with_lines_to_paste() {
    let error = read("c.csv", TEXT).unwrap_err();
    assert!(matches!(&error, InputError::UnknownColumns { columns, .. } if columns.len() == 2));
    assert_eq!(
        error.to_string(),
        "c.csv: 2 columns of the input are named by no field; to keep them, paste under [fields] (types are guesses \
         from the first record):\n\
         dep_time = { type = \"string\", column = \"Dep Time\" }\n\
         kind = { type = \"string\" }\n\
         or say under [columns] other = \"drop\", or other = a family to store them as text"
    );
    let error = read("c.csv", "phone,ts,city,n,seq\n").unwrap_err();
    assert!(error.to_string().starts_with("c.csv: 1 column of the input is named by no field"), "{error}");
}

#[test]
fn they_can_be_dropped() {
    let told = read_with(&calls("drop"), "c.csv", TEXT, InputOptions::default()).unwrap();
    assert_eq!(told, ["2: 12345|-|a|1", "3: 12346|-|b|2"]);
}

#[test]
fn they_can_be_kept_as_text_where_they_hold_something() {
    let told = read_with(&calls("x"), "c.csv", TEXT, InputOptions::default()).unwrap();
    assert_eq!(told, ["2: 12345|-|a|1 Dep Time=0517", "3: 12346|-|b|2 Dep Time=518 kind=é"]);
}

#[test]
fn a_column_of_bytes_that_are_no_text_is_rejected_there_too() {
    let told =
        read_with(&calls("x"), "c.csv", b"phone,ts,city,n,k\n12345,,a,1,\xFF\n", InputOptions::default());
    let told = told.unwrap();
    assert_eq!(
        told,
        ["rejected c.csv:2: column \"k\": not utf-8: try --encoding gb18030, or give the field a charset"]
    );
}

#[test]
fn a_field_without_a_column_is_named_with_the_nearest_column() {
    let error = read("c.csv", "Phone,ts,town,num\n12345,,a,1\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "c.csv: no column for field \"phone\" (nearest: \"Phone\"), field \"city\", field \"n\"; the columns are: \
         Phone, ts, town, num"
    );
}

#[test]
fn keys_alone_need_no_columns_of_other_fields() {
    let options = InputOptions { required: RequiredFields::OfKey, ..InputOptions::default() };
    let told = read_with(&calls("drop"), "c.csv", "n,phone\n,12345\n1,12346\n", options).unwrap();
    assert_eq!(told, ["2: 12345|-|-|-", "3: 12346|-|-|1"]);
    // A row that a load would reject is rejected.
    let told = read_with(&calls("drop"), "c.csv", "n,phone\nmany,12345\n1,12346\n", options).unwrap();
    assert!(told[0].contains("many") && told[1] == "3: 12346|-|-|1", "{told:?}");
    let error = read_with(&calls("drop"), "c.csv", "n,fone\n1,12345\n", options).unwrap_err();
    assert!(
        error.to_string().starts_with("c.csv: no column for field \"phone\"; the columns are"),
        "{error}"
    );
}

#[test]
fn a_column_twice_is_an_error_unless_nobody_reads_it() {
    let error = read("c.csv", "phone,ts,city,n,n\n").unwrap_err();
    assert!(matches!(error, InputError::ColumnTwice { ref column, .. } if column == "n"), "{error}");
    let twice = "phone,ts,city,n,k,k\n12345,,a,1,x,y\n";
    let error = read_with(&calls("x"), "c.csv", twice, InputOptions::default()).unwrap_err();
    assert!(matches!(error, InputError::ColumnTwice { ref column, .. } if column == "k"), "{error}");
    assert_eq!(
        read_with(&calls("drop"), "c.csv", twice, InputOptions::default()).unwrap(),
        ["2: 12345|-|a|1"]
    );
}

#[test]
fn a_column_with_the_name_of_a_derived_field_is_not_read() {
    let design =
        with_fields("phone = { type = \"digits\", len = 5 }\nhead = { from = \"left(phone,2)\" }", "error");
    let told = read_with(&design, "c.csv", "head,phone\n99,12345\n", InputOptions::default()).unwrap();
    assert_eq!(told, ["2: 12345|-"]);
    let line = "{\"head\":\"99\",\"phone\":\"12345\"}";
    assert_eq!(read_with(&design, "c.jsonl", line, InputOptions::default()).unwrap(), ["1: 12345|-"]);
}
