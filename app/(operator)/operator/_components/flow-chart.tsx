'use client';

import { CartesianGrid, Legend, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';

type Drawn = { key: string; name: string; color: string };

/** Lines over time for eyes; the table beside it holds the same for everybody. */
export function FlowChart({ points, lines, unit = '' }: { points: object[]; lines: Drawn[]; unit?: string }) {
  return (
    <div aria-hidden="true" className="h-56 text-xs">
      <ResponsiveContainer width="100%" height="100%">
        <LineChart data={points} accessibilityLayer={false} margin={{ left: 0, right: 8, top: 8, bottom: 0 }}>
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis dataKey="time" stroke="var(--muted)" minTickGap={40} tickLine={false} />
          <YAxis
            stroke="var(--muted)"
            width={64}
            tickFormatter={(value: number) => tickText(value, unit)}
            allowDecimals={false}
            tickLine={false}
            axisLine={false}
          />
          <Tooltip
            contentStyle={{
              background: 'var(--surface)',
              borderColor: 'var(--line)',
              color: 'var(--ink)',
              borderRadius: 8,
            }}
          />
          <Legend />
          {lines.map(({ key, name, color }) => (
            <Line
              key={key}
              dataKey={key}
              name={name}
              stroke={color}
              strokeWidth={2}
              dot={{ r: 1.5 }}
              connectNulls
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}

/** Seconds where milliseconds would not fit beside the axis; a space that does not break keeps the unit with its number. */
function tickText(value: number, unit: string): string {
  return unit.trim() === 'ms' && value >= 1_000 ? `${value / 1_000}\u00a0s` : `${value}${unit.replace(' ', '\u00a0')}`;
}
