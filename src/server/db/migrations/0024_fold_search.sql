-- Text as it is searched: lower case and without accents, so that 'muller' finds 'Müller'. Both the stored text and
-- what is searched for go through it.
create function fold_text(value text) returns text
  language sql immutable strict parallel safe
  return translate(
    normalize(regexp_replace(normalize(lower(value), NFD), '[\u0300-\u036f]', '', 'g'), NFC), 'øłđı', 'oldi');

-- Writes the table of players once, about a minute for a million of them. The server starts when it is done.
drop index players_search;
alter table players drop column search_text;
-- One line per field, so that a word never matches across two of them; the last is the phone's digits alone.
alter table players add column search_text text not null generated always as (
  fold_text(email || E'\n' || coalesce(first_name, '') || E'\n' || coalesce(last_name, '') || E'\n'
    || coalesce(phone_number, '') || E'\n' || regexp_replace(coalesce(phone_number, ''), '[^0-9]', '', 'g'))) stored;
create index players_search on players using gin (tenant_id, search_text gin_trgm_ops) with (fastupdate = off);
