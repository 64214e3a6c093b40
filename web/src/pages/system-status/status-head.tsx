import type { StatusFinding, StatusSectionName, SystemStatus } from '@farlink/contract/advanced/system-status.ts';
import { t } from '../../kit/chrome/lang.ts';
import { clockText } from '../../ui/format.ts';
import { Tag } from '../../ui/native/tag.tsx';
import { levelTexts, partTexts, texts } from './texts.ts';

const parts: readonly StatusSectionName[] = ['nodes', 'lag', 'queues', 'database', 'backup', 'certificates', 'broker', 'evidence'];

interface Problem extends StatusFinding {
  readonly part: StatusSectionName;
}

const problemsOf = (status: SystemStatus): Problem[] => {
  const all = parts.flatMap((part) => status[part].findings.map((one) => ({ ...one, part })));
  return [...all.filter(({ level }) => level === 'critical'), ...all.filter(({ level }) => level !== 'critical')];
};

const summaryOf = ({ level }: SystemStatus, problems: readonly Problem[]) => {
  const count = (of: Problem['level']) => problems.filter((one) => one.level === of).length;
  if (level === 'critical') return t(texts.hasCritical, count('critical'));
  return level === 'warning' ? t(texts.hasWarnings, count('warning')) : t(texts.allOk);
};

interface HeadProps {
  readonly status: SystemStatus;
  readonly refreshSeconds: number;
  readonly isStale: boolean;
}

/** The overall state, then each problem with what to do about it. */
export const StatusHead = ({ status, refreshSeconds, isStale }: HeadProps) => {
  const problems = problemsOf(status);
  const at = clockText(status.at);
  return (
    <section className="card status-head" data-level={status.level} aria-label={t(texts.overall)}>
      <p className="row status-summary" role={status.level === 'critical' ? 'alert' : 'status'}>
        <span className="status-light" aria-hidden />
        {summaryOf(status, problems)}
      </p>
      <p className="muted">{isStale ? t(texts.stale, at) : t(texts.at, at, refreshSeconds)}</p>
      {problems.length > 0 && (
        <ul className="status-problems" aria-label={t(texts.findings)}>
          {problems.map(({ name, level, part, reason, todo }) => (
            <li key={`${part} ${name}`} className="status-problem">
              <span className="status-problem-level">
                <Tag color={levelTexts[level].color}>{t(levelTexts[level].label)}</Tag>
              </span>
              <div className="status-problem-text">
                <b className="status-problem-reason">
                  {t(partTexts[part])}
                  {t(['：', ': '])}
                  {t(reason)}
                </b>
                <span className="status-problem-todo">{t(todo)}</span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
