-- The slots of past days, to be found and put together without a look at all days (ledger/fold.ts). Updates of the sums touch neither index.
create index day_totals_unfolded on day_totals (day) where slot > 0;
create index method_totals_unfolded on method_totals (day) where slot > 0;
