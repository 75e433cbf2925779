/**
 * Ends every pause without its two people and their second factors, for tests that are about something else: the guards are put
 * aside for one statement. That they hold is tried in prisma/guards.
 */
export const RESUME_PAYOUTS = `do $$ begin
  alter table switches disable trigger user;
  update switches set resume_proposed_by = 'a', resumed_by = 'b', resumed_at = protocol_now() where resumed_at is null;
  alter table switches enable trigger user;
end $$`;
