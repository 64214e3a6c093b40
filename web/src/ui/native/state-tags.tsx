interface StateTag {
  readonly name: string;
  /** Label of the state. */
  readonly state: string;
  /** A color of the palette, or a custom color. */
  readonly hue?: string | undefined;
  readonly color?: string | undefined;
}

const shown = 3;

/** Each part with a dot in the color of its state; the text stays dark for contrast. The tooltip shows all. */
export const StateTags = ({ tags, all = false }: { readonly tags: readonly StateTag[]; readonly all?: boolean }) => {
  const first = all ? tags : tags.slice(0, shown);
  return (
    <span className={all ? 'tags wrap' : 'tags'} data-tip={tags.map(({ name, state }) => `${name}: ${state}`).join('\n')}>
      {first.map(({ name, state, hue, color }) => (
        <span
          key={name}
          className={`state-tag hue-${hue ?? 'default'}`}
          style={color === undefined ? undefined : { ['--hue' as string]: color }}
        >
          {name}
          <span className="visually-hidden"> {state}</span>
        </span>
      ))}
      {tags.length > first.length && <span className="muted">+{tags.length - first.length}</span>}
    </span>
  );
};
