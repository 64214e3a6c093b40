/** The text that an input shows for a value. */
export const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** spec §5: text inputs are trimmed on blur. */
export const trimOnBlur = (value: unknown, onChange: (value: string) => void) => () => {
  if (typeof value === 'string' && value !== value.trim()) onChange(value.trim());
};
