import type { ReactNode } from 'react';
import { ProgressBar } from '../charts/progress-bar.tsx';
import '../styles/drawer.css';
import { Point } from './tag.tsx';

interface TaskItemProps {
  readonly name: string;
  readonly state: string;
  readonly color: string | undefined;
  readonly facts: readonly string[];
  /** While it runs. */
  readonly percent: number | undefined;
  readonly problem: string | null;
  readonly children: ReactNode;
}

/** Work in the background: what, how far, and what can be done about it. */
export const TaskItem = ({ name, state, color, facts, percent, problem, children }: TaskItemProps) => (
  <li className="task">
    <div>
      <strong className="clip">{name}</strong>
      <span className="row-actions">{children}</span>
    </div>
    <div>
      <Point color={color}>{state}</Point>
      <span className="muted">{facts.join(' · ')}</span>
    </div>
    {percent !== undefined && <ProgressBar percent={percent} label={name} />}
    {problem && <span className="refusal">{problem}</span>}
  </li>
);
