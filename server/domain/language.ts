/** The languages that every page and every mail speaks whole. */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

/**
 * The language for somebody: what they chose, else the one of ours that their browser asks for most, else English.
 *
 * @param input.accepted an `Accept-Language` header, such as `de-CH,de;q=0.9,en;q=0.8`
 */
export function chooseLanguage(input: { chosen: string | undefined; accepted: string | null | undefined }): Language {
  if (input.chosen === 'de' || input.chosen === 'en') return input.chosen;
  const wishes = (input.accepted ?? '').split(',').map((part) => {
    const [tag = '', weight] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/);
    return { language: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) };
  });
  const [best] = wishes
    .filter(({ language, weight }) => (language === 'de' || language === 'en') && weight > 0)
    .sort((left, right) => right.weight - left.weight);
  return best?.language === 'de' ? 'de' : 'en';
}
