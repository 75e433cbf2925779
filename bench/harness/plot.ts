import type { BenchResult } from './bench-result.ts';

const ROW = 26;
const LEFT = 330;
const WIDTH = 420;
const INK = '#52606d';

/** The goals as bars of equal aim: whatever passes the line is met. A drawing without a library. */
export function drawGoals(result: BenchResult): string {
  const height = ROW * (result.goals.length + 2);
  const rows = result.goals.map((goal, index) => {
    const share = goal.is === 'at_least' ? goal.ratio.median / goal.aim : goal.aim / goal.ratio.median;
    const length = Math.min(2, share) * (WIDTH / 2);
    const y = ROW * (index + 1);
    const fill = goal.met ? '#2f855a' : '#c05621';
    return [
      `<text x="${LEFT - 10}" y="${y + 15}" text-anchor="end">${escapeText(goal.title)}</text>`,
      `<rect x="${LEFT}" y="${y + 3}" width="${length.toFixed(1)}" height="${ROW - 8}" rx="3" fill="${fill}"/>`,
      `<text x="${(LEFT + length + 6).toFixed(1)}" y="${y + 15}">${goal.ratio.median} ${goal.unit}</text>`,
    ].join('');
  });
  const aim = LEFT + WIDTH / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 80} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="${INK}">
<title>Goals of the bench: a bar that reaches the line is met</title>
${rows.join('\n')}
<line x1="${aim}" y1="12" x2="${aim}" y2="${height - 12}" stroke="${INK}" stroke-dasharray="4 3"/>
<text x="${aim}" y="12" text-anchor="middle">aim</text>
</svg>
`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
