/// The lab.
package postroad.lab;
