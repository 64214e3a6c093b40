import { ThemeIcon, useThemeCycle } from '../theme-choice.tsx';

export const ThemeSelect = () => {
  const { choice, label, next } = useThemeCycle();
  return (
    <button type="button" className="icon-button" title={label} aria-label={label} onClick={next}>
      <ThemeIcon choice={choice} />
    </button>
  );
};
