/** Progress with its number, because color alone is not sufficient. */
export const ProgressBar = ({ percent, label }: { readonly percent: number; readonly label: string }) => {
  const shown = Math.max(0, Math.min(100, Math.round(percent)));
  return (
    <span className="bar">
      <span role="progressbar" aria-label={label} aria-valuenow={shown} aria-valuemin={0} aria-valuemax={100}>
        <span style={{ width: `${shown}%` }} />
      </span>
      <span>{percent > 0 && shown === 0 ? '<1' : shown}%</span>
    </span>
  );
};
