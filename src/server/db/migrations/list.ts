import schema from './0043_schema.sql';
import facts from './0044_facts.sql';
import oneAlarmEngine from './0045_one_alarm_engine.sql';
import viewsOfOne from './0046_views_of_one.sql';
import returns from './0047_returns.sql';
import playerLogins from './0048_player_logins.sql';
import sealedApprovals from './0051_sealed_approvals.sql';
import rowClaims from './0052_row_claims.sql';
import playerFilters from './0053_player_filters.sql';
import linkTemplates from './0054_link_templates.sql';
import netAmounts from './0055_net_amounts.sql';
import lateMinutes from './0056_late_minutes.sql';
import ruleWithoutNumber from './0058_rule_without_number.sql';
import callerAgain from './0059_caller_again.sql';
import events from './0061_events.sql';
import accounts from './0062_accounts.sql';
import signInRules from './0064_sign_in.sql';
import protection from './0068_protection.sql';
import mailboxes from './0070_mailboxes.sql';
import doubles from './0072_doubles.sql';
import passkeys from './0074_passkeys.sql';
import sso from './0076_sso.sql';
import shifts from './0078_shifts.sql';

export interface Migration {
  name: string;
  text: string;
  /** What an older version had applied last: a database with it has all that this migration makes. */
  replaces?: { name: string; checksum: string };
}

/** Every migration in order; add new files here. A file never changes after its release. */
export const migrations: readonly Migration[] = [
  {
    name: '0043_schema',
    text: schema,
    replaces: {
      name: '0043_approvals_ended',
      checksum: '4e3c6bf168486e3c9cd0f09686e53d67b46aada911d3a8438d4f155b9d492a01',
    },
  },
  { name: '0044_facts', text: facts },
  { name: '0045_one_alarm_engine', text: oneAlarmEngine },
  { name: '0046_views_of_one', text: viewsOfOne },
  { name: '0047_returns', text: returns },
  { name: '0048_player_logins', text: playerLogins },
  { name: '0051_sealed_approvals', text: sealedApprovals },
  { name: '0052_row_claims', text: rowClaims },
  { name: '0053_player_filters', text: playerFilters },
  { name: '0054_link_templates', text: linkTemplates },
  { name: '0055_net_amounts', text: netAmounts },
  { name: '0056_late_minutes', text: lateMinutes },
  { name: '0058_rule_without_number', text: ruleWithoutNumber },
  { name: '0059_caller_again', text: callerAgain },
  { name: '0061_events', text: events },
  { name: '0062_accounts', text: accounts },
  { name: '0064_sign_in', text: signInRules },
  { name: '0068_protection', text: protection },
  { name: '0070_mailboxes', text: mailboxes },
  { name: '0072_doubles', text: doubles },
  { name: '0074_passkeys', text: passkeys },
  { name: '0076_sso', text: sso },
  { name: '0078_shifts', text: shifts },
];
