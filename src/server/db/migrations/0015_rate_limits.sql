-- Failed sign-ins, counted for all servers together. Not in the journal: after a crash counting begins anew.
create unlogged table rate_limits (
  key text primary key,      -- what is counted, as an HMAC: people type passwords into the wrong field
  points integer not null,
  expire bigint              -- milliseconds since 1970
);
