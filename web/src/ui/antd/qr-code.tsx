import { QRCode } from 'antd';
import { Themed } from '../theme/themed.tsx';

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
  readonly size: number;
}

/** Dark on light with a quiet zone in both themes, because some scanners cannot read inverted codes. */
export const QrCode = ({ text, label, size }: QrCodeProps) => (
  <Themed>
    <QRCode
      type="svg"
      role="img"
      aria-label={label}
      value={text}
      size={size}
      marginSize={4}
      errorLevel="M"
      color="#000"
      bgColor="#fff"
      bordered={false}
    />
  </Themed>
);
