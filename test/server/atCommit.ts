/** A COMMIT that takes its time or fails, as tests want it. */
import { runEach, sql } from '../world';

/** Runs these statements at the COMMIT of every transaction that adds a row to the table. */
export const atCommit = (table: string, statements: string): Promise<void> =>
  runEach(
    sql,
    `create function test_at_commit() returns trigger language plpgsql as $$ begin ${statements} return null; end $$;
    create constraint trigger test_at_commit after insert on ${table} deferrable initially deferred
    for each row execute function test_at_commit()`,
  );
export const nothingAtCommit = () => sql`drop function if exists test_at_commit cascade`;
