type MethodChoiceProps<Method extends string> = {
  name: string;
  legend: string;
  methods: readonly Method[];
  labels: Record<Method, string>;
  chosen: Method;
  onChoose: (method: Method) => void;
};

/** Which of several ways to confirm; nothing where there is only one. */
export function MethodChoice<Method extends string>(props: MethodChoiceProps<Method>) {
  const { name, legend, methods, labels, chosen, onChoose } = props;
  if (methods.length < 2) return null;
  return (
    <fieldset className="flex flex-wrap gap-x-6 gap-y-1">
      <legend className="pb-1 font-medium text-sm">{legend}</legend>
      {methods.map((method) => (
        <label key={method} className="inline-flex min-h-8 pointer-coarse:min-h-11 items-center gap-2 text-sm">
          <input
            type="radio"
            name={name}
            checked={chosen === method}
            onChange={() => onChoose(method)}
            className="size-5 accent-accent"
          />
          {labels[method]}
        </label>
      ))}
    </fieldset>
  );
}
