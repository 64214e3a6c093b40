import type { PreviewNote } from '@farlink/contract/kit/page.ts';
import './note-lines.css';

interface NoteLinesProps {
  readonly notes: readonly PreviewNote[];
  readonly className?: string;
}

/** Lines about the effect of an action, such as the amount to collect or what is lost. */
export const NoteLines = ({ notes, className = '' }: NoteLinesProps) => (
  <div className={`note-lines ${className}`} role="status">
    {notes.map(({ text, tone }) => (
      <p key={text} data-tone={tone}>
        {text}
      </p>
    ))}
  </div>
);
