import { QRCode } from 'antd';

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
  readonly size: number;
}

/** Dark on light, with its quiet zone, in either theme: not every scanner reads it the other way round. */
export const QrCode = ({ text, label, size }: QrCodeProps) => (
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
);
