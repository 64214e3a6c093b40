import type { ConfigProblemView, DifferenceView } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { Callout } from '../../ui/native/callout.tsx';
import { Tag } from '../../ui/native/tag.tsx';
import { colon, t } from '../chrome/lang.ts';
import { DifferenceList } from './difference-list.tsx';
import './difference-pages.css';
import { fieldPathText } from './field-path.ts';
import { usePages } from './schema.ts';

const texts = {
  count: ['{0} 处', '{0}'],
  left: ['仅左侧', 'Left only'],
  right: ['仅右侧', 'Right only'],
} as const satisfies Record<string, Text>;

interface DifferencePagesProps {
  readonly pages: readonly {
    readonly page: string;
    readonly zh: string;
    readonly en: string;
    readonly differences: readonly DifferenceView[];
  }[];
  readonly problems?: readonly ConfigProblemView[];
  /** Labels of two independent sides, instead of before and after. */
  readonly sides?: readonly [left: string, right: string];
}

/** Differences of several pages, each with its problems. */
export const DifferencePages = ({ pages, problems = [], sides }: DifferencePagesProps) => {
  const schemas = usePages([...new Set([...pages, ...problems].map(({ page }) => page))]);
  const sideLabels = sides && {
    before: [sides[0], sides[0]] as const,
    after: [sides[1], sides[1]] as const,
    added: texts.right,
    removed: texts.left,
  };
  return (
    <ul className="diff-pages" data-beside={sides !== undefined || undefined}>
      {pages.map(({ page, zh, en, differences }) => {
        const schema = schemas.get(page);
        const faults = problems.filter((problem) => problem.page === page);
        return (
          <li key={page}>
            <h3>
              {t([zh, en])} <Tag>{t(texts.count, differences.length)}</Tag>
            </h3>
            {faults.length > 0 && (
              <Callout tone="error">
                {faults.map(({ path, text }) => (
                  <p key={path}>
                    {schema ? fieldPathText(schema, path) : path}
                    {colon}
                    {text}
                  </p>
                ))}
              </Callout>
            )}
            {schema && <DifferenceList page={schema} differences={differences} {...sideLabels} />}
          </li>
        );
      })}
    </ul>
  );
};
