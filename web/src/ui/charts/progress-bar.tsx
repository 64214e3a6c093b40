/** A share of a large sum can be far below one percent. */
const percentText = (percent: number) => (percent > 0 && percent < 0.01 ? '<0.01' : String(Number(percent.toFixed(percent < 10 ? 2 : 0))));

/** Progress with its number, because color alone is not sufficient. */
export const ProgressBar = ({ percent, label }: { readonly percent: number; readonly label: string }) => {
  const shown = Math.max(0, Math.min(100, Math.round(percent)));
  return (
    <span className="row bar">
      <span className="meter" role="progressbar" aria-label={label} aria-valuenow={shown} aria-valuemin={0} aria-valuemax={100}>
        <span style={{ width: `${shown}%` }} />
      </span>
      <span>{percentText(Math.max(0, Math.min(100, percent)))}%</span>
    </span>
  );
};
