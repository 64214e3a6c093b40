import type { ReactNode } from 'react';
import { ProgressBar } from '../charts/progress-bar.tsx';
import '../styles/drawer.css';
import { Point } from './tag.tsx';

interface TaskItemProps {
  readonly name: string;
  readonly state: string;
  readonly color: string | undefined;
  readonly facts: readonly string[];
  /** Progress while it runs. */
  readonly percent: number | undefined;
  readonly problem: string | null;
  readonly children: ReactNode;
}

/** A background task: name, progress and actions. */
export const TaskItem = ({ name, state, color, facts, percent, problem, children }: TaskItemProps) => (
  <li className="task">
    <div className="row spread">
      <strong className="clip">{name}</strong>
      <span className="row-actions">{children}</span>
    </div>
    <div className="row spread">
      <Point color={color}>{state}</Point>
      <span className="muted">{facts.join(' · ')}</span>
    </div>
    {percent !== undefined && <ProgressBar percent={percent} label={name} />}
    {problem && <span className="refusal">{problem}</span>}
  </li>
);
