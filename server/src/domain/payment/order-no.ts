/** What both providers take as our number. */
export const checkOrderNo = (orderNo: string): string => {
  if (!/^[\w-]{6,32}$/.test(orderNo)) throw new RangeError(`not an order number: ${orderNo}`);
  return orderNo;
};
