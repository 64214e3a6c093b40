import { payOrderCalls as calls } from '@farlink/contract/finance/pay-order.ts';
import type { OutputOf } from '@farlink/contract/kit/endpoint.ts';
import { priceText } from '@farlink/contract/kit/money.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { notify } from '../../kit/chrome/notify.tsx';
import { Dialog } from '../../kit/form/dialog.tsx';
import { CallError, call } from '../../kit/net/call.ts';
import { QrCode } from '../../ui/antd/qr-code.tsx';
import { timeText } from '../../ui/format.ts';
import { Button } from '../../ui/native/button.tsx';
import './pay-order.css';

const texts = {
  title: ['收款', 'Take a payment'],
  scan: {
    wechat: ['请付款人使用微信扫码支付', 'Ask the payer to scan with WeChat'],
    alipay: ['请付款人使用支付宝扫码支付', 'Ask the payer to scan with Alipay'],
  },
  code: ['收款码', 'Payment code'],
  open: ['在浏览器中打开支付页', 'Open the payment page'],
  until: ['{0} 前有效，支付结果将自动更新', 'Valid until {0}. The result updates automatically.'],
  withdraw: ['取消收款', 'Cancel the payment'],
  later: ['稍后查看', 'Close'],
  paid: ['收款成功：{0}', 'Paid: {0}'],
  withdrawn: ['已取消收款', 'The payment was cancelled'],
  ended: ['订单已失效，请重新收款', 'The order has expired. Create a new one.'],
} as const satisfies Record<string, Text | Record<string, Text>>;

const pollMs = 2000;

type Order = OutputOf<typeof calls.read>;

interface PayOrderDialogProps {
  readonly order: Order;
  readonly onClose: () => void;
  /** Called after the payment, to show the receipt. */
  readonly onPaid: (order: Order) => void;
}

/** Shows the payment code until the order is paid. */
const PayOrderDialog = ({ order: first, onClose, onPaid }: PayOrderDialogProps) => {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const { data: order = first } = useQuery({
    queryKey: ['pay-order', first.id],
    queryFn: () => call(calls.read, { id: first.id }, { silent: true, overlay: false }),
    initialData: first,
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? pollMs : false),
  });

  useEffect(() => {
    if (order.state === 'waiting') return;
    if (order.state === 'paid') notify.success(t(texts.paid, priceText(order.amount)));
    else notify.warning(t(order.state === 'withdrawn' ? texts.withdrawn : texts.ended));
    void client.invalidateQueries();
    onClose();
    if (order.state === 'paid') onPaid(order);
  }, [order, client, onClose, onPaid]);

  const withdraw = async () => {
    setBusy(true);
    try {
      await call(calls.withdraw, { id: first.id }, { overlay: false });
    } catch (error) {
      // `call` has shown the error; the order may have been paid meanwhile.
      if (!(error instanceof CallError)) throw error;
    } finally {
      setBusy(false);
      await client.invalidateQueries({ queryKey: ['pay-order', first.id] });
    }
  };

  const buttons = (
    <>
      <Button danger loading={busy} onClick={() => void withdraw()}>
        {t(texts.withdraw)}
      </Button>
      <Button kind="primary" data-first onClick={onClose}>
        {t(texts.later)}
      </Button>
    </>
  );
  return (
    <Dialog open title={t(texts.title)} onClose={onClose} footer={buttons}>
      <div className="pay-order">
        <strong>{priceText(order.amount)}</strong>
        <span className="muted">{[order.user_name, order.package_name].filter(Boolean).join(' · ')}</span>
        {order.pay_url && (
          <>
            <QrCode text={order.pay_url} label={t(texts.code)} size={216} />
            {order.channel !== 'balance' && <span>{t(texts.scan[order.channel])}</span>}
            {/^https?:/.test(order.pay_url) && (
              <a href={order.pay_url} target="_blank" rel="noreferrer">
                {t(texts.open)}
              </a>
            )}
          </>
        )}
        <small className="muted">{t(texts.until, timeText(order.expire_at))}</small>
        <small className="muted mono">{order.order_no}</small>
      </div>
    </Dialog>
  );
};
export default PayOrderDialog;
