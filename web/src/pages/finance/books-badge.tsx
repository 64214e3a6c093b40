import { billCalls } from '@farlink/contract/finance/bill.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../kit/chrome/lang.ts';
import { call } from '../../kit/net/call.ts';
import { tips } from '../../ui/browser/tip.ts';
import { moneyText, numberText } from '../../ui/format.ts';
import { Tag } from '../../ui/native/tag.tsx';

const texts = {
  balanced: ['账目平衡', 'Books balanced'],
  off: ['账目不平衡，差额 {0} 元', 'Books do not balance: difference {0} yuan'],
  meaning: ['复式记账共 {0} 个科目，借贷合计为零', 'Double entry over {0} accounts; the total is zero'],
  alarm: ['请立即联系管理员核对账目', 'Contact the administrator to check the books now'],
} as const satisfies Record<string, Text>;

/** Whether the visible ledger sums to zero: a small mark if it does, an error if not. */
export const BooksBadge = () => {
  const { data } = useQuery({
    queryKey: ['books'],
    queryFn: () => call(billCalls.check, {}, { silent: true, overlay: false }),
    retry: false,
  });
  if (!data) return null;
  if (data.balanced)
    return (
      <span data-tip={t(texts.meaning, numberText(data.accounts))} {...tips}>
        <Tag color="green">{t(texts.balanced)}</Tag>
      </span>
    );
  return (
    <span role="alert" className="books-alarm">
      <Tag color="red">{t(texts.off, moneyText(data.off))}</Tag> {t(texts.alarm)}
    </span>
  );
};
