import type { Option } from './field.ts';
import type { Text } from './text.ts';

interface State {
  readonly id: string | number;
  readonly label: Text;
  readonly color?: string;
}

/** States and transitions, shared by the page that offers a transition and the server that executes it. */
export const machine = <
  const S extends Record<string, State>,
  const M extends Record<string, { from: readonly (keyof S & string)[]; to: keyof S & string }>,
>(
  states: S,
  transitions: M,
) => {
  type Id = S[keyof S]['id'];
  const id = (name: keyof S & string): Id => {
    const state = states[name];
    if (!state) throw new Error(`no state ${name}`);
    return state.id;
  };
  const transition = (name: keyof M & string) => {
    const found = transitions[name];
    if (!found) throw new Error(`no transition ${name}`);
    return found;
  };
  const options: readonly Option<Id>[] = Object.values(states);
  const entries = Object.entries(states).map(([name, state]) => [name, state.id]);
  /** Ids by name, for SQL and comparisons. */
  const ids: { readonly [K in keyof S]: S[K]['id'] } = Object.fromEntries(entries);
  return {
    options,
    ids,
    id,
    from: (name: keyof M & string): Id[] => transition(name).from.map(id),
    to: (name: keyof M & string): Id => id(transition(name).to),
    can: (name: keyof M & string, current: unknown): boolean => transition(name).from.some((s) => id(s) === current),
  };
};
