import type { ConfigTree } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { countThatFit } from '../../../kit/actions/fit-buttons.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { useWidth } from '../../../ui/browser/use-width.ts';
import { MenuButton } from '../../../ui/native/menu-button.tsx';
import { hrefOf } from './config-tree.tsx';
import { quickPages } from './page-search.ts';

const texts = {
  quick: ['快捷菜单', 'Quick menu'],
  home: ['配置总览', 'Overview'],
  more: ['更多', 'More'],
} as const satisfies Record<string, Text>;

/** Shortcuts of a gateway, and the link to the overview. */
export const QuickStrip = ({ tree, page }: { readonly tree: ConfigTree; readonly page: string | undefined }) => {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [strip, width] = useWidth(600);
  const ways = [
    { key: 'home', label: t(texts.home), to: '?', isHere: !query.has('page') },
    ...quickPages(tree.groups).map(({ key, zh, en, quick }) => ({
      key,
      label: t([zh, en]),
      to: hrefOf(quick ?? key),
      isHere: page === quick,
    })),
  ];
  const count = countThatFit(
    ways.map(({ label }) => label),
    width,
  );
  const rest = ways.slice(count);
  return (
    <nav className="row config-quick" aria-label={t(texts.quick)} ref={strip}>
      {ways.slice(0, count).map(({ key, label, to, isHere }) => (
        <Link key={key} to={to} aria-current={isHere ? 'page' : undefined}>
          {label}
        </Link>
      ))}
      {rest.length > 0 && (
        <MenuButton
          className="act"
          label={`${t(texts.more)} ${t(texts.quick)}`}
          items={rest.map(({ key, label, to }) => ({ key, label, onSelect: () => void navigate(to) }))}
        >
          {t(texts.more)}
        </MenuButton>
      )}
    </nav>
  );
};
