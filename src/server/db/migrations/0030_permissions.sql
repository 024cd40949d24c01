-- What each admin of a tenant may do besides looking. Admins from before keep what they could do, which was everything
-- but managing their colleagues. The default of a new column changes no row, so the table is locked for a moment only.
alter table admins add column permissions text[] not null
  default array['support', 'queue', 'payouts', 'money', 'export', 'import', 'settings']
  constraint admins_permissions check (
    permissions <@ array['support', 'queue', 'payouts', 'money', 'export', 'import', 'settings', 'team']);
