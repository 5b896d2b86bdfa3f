/// What a node takes: memory, and time to start. Public: [StockedHome], [BusyQueries], [IdleCrowd].
package postroad.lab.memory;
