/**
 * Ends look-up only without its two people, for tests that are about something else: the guard is put aside for one
 * statement. That two people are needed is tried in prisma/guards.
 */
export const END_LOOK_UP_ONLY = `do $$ begin
  alter table protocol_settings disable trigger protocol_settings_mode_ended_by_two;
  update protocol_settings set mode = 'normal', mode_reason = null, mode_since = null;
  alter table protocol_settings enable trigger protocol_settings_mode_ended_by_two;
end $$`;
