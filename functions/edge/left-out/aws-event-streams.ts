/** Stands in for event streams, which the AWS SDK loads for operations that have some: ours have none. */
export const EventStreamSerde = null;
