-- After how many minutes a pending row is late and overdue, by list: [{"list", "late", "overdue"}]. Null: as before.
alter table tenants add column late_minutes json;
