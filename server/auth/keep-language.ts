import type { Language } from '#domain/language.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** Remembers in which language a person reads, so that mail speaks it too. */
export async function keepLanguage(deps: { db: Db }, input: { userId: string; language: Language }): Promise<void> {
  await deps.db.query(keepLanguageSql, [input.userId, input.language]);
}

const keepLanguageSql: Statement = {
  name: 'keep_language',
  text: 'update users set language = $2 where id = $1 and language <> $2',
};
