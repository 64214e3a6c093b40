interface StateTag {
  readonly name: string;
  /** In words. */
  readonly state: string;
  /** One of the console's hues, or a colour of somebody's own choice. */
  readonly hue?: string | undefined;
  readonly color?: string | undefined;
}

const shown = 3;

/** Each part with a point in the colour of its state; the words stay dark, whatever colour was chosen. All of them on hover. */
export const StateTags = ({ tags, all = false }: { readonly tags: readonly StateTag[]; readonly all?: boolean }) => {
  const first = all ? tags : tags.slice(0, shown);
  return (
    <span className={all ? 'tags wrap' : 'tags'} data-tip={tags.map(({ name, state }) => `${name}: ${state}`).join('\n')}>
      {first.map(({ name, state, hue, color }) => (
        <span
          key={name}
          className={`part hue-${hue ?? 'default'}`}
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
